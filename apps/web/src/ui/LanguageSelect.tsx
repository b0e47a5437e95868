/** Selects the language of the page. */
import { useId } from "react"
import { chooseLanguage, language, type Language, languages, text } from "../language/language.js"
import { useStore } from "./store.js"

/** A select with the name of each language in that language. */
export const LanguageSelect = () => {
  const id = useId()
  return (
    <span className="language">
      <label htmlFor={id} className="visually-hidden">
        {text.page.language}
      </label>
      <select
        id={id}
        value={useStore(language)}
        onChange={(event) => void chooseLanguage(event.target.value as Language)}
      >
        {Object.entries(languages).map(([code, { name }]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}
