/** Switches between the light, dark and system themes. */
import { useState } from "react"
import { Icon } from "./Icon.js"
import { text } from "../language/language.js"

const themes = ["system", "light", "dark"] as const
type Theme = (typeof themes)[number]

const current = (): Theme => themes.find((theme) => theme === document.documentElement.dataset["theme"]) ?? "system"

const choose = (theme: Theme) => {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
  try {
    // The theme is stored as plain text, because public/theme.js reads it before the page loads.
    localStorage.setItem("geoswap.theme", theme)
  } catch {
    // Storage is blocked, so the choice lasts only until the page is closed.
  }
}

/** A button that selects the next theme. */
export const ThemeButton = () => {
  const [theme, setTheme] = useState(current)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"
  return (
    <button
      type="button"
      className="plain"
      aria-label={text.page.theme[theme]}
      title={text.page.theme[theme]}
      onClick={() => {
        choose(next)
        setTheme(next)
      }}
    >
      <Icon name={theme} />
    </button>
  )
}
