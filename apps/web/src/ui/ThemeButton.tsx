/** Light, dark, or as the system has it. */
import { type ReactElement, useState } from "react"
import { Icon } from "./Icon.js"

const themes = ["system", "light", "dark"] as const
type Theme = (typeof themes)[number]

const current = (): Theme => themes.find((theme) => theme === document.documentElement.dataset["theme"]) ?? "system"

const choose = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
  try {
    // As plain text: public/theme.js reads it before anything else runs.
    localStorage.setItem("geoswap.theme", theme)
  } catch {
    // It lasts as long as the page, then.
  }
}

/** Goes from one theme to the next. */
export const ThemeButton = (): ReactElement => {
  const [theme, setTheme] = useState(current)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"
  return (
    <button
      type="button"
      className="plain"
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}`}
      onClick={() => {
        choose(next)
        setTheme(next)
      }}
    >
      <Icon name={theme} />
    </button>
  )
}
