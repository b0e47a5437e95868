/** A styled native select. */
import type { ReactElement } from "react"
import { Icon } from "./Icon.js"
import { Avatar } from "./Avatar.js"
import { text } from "../language/language.js"

interface Option {
  readonly value: string
  readonly text: string
}

interface SelectProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: ReadonlyArray<Option>
  readonly onChange: (value: string) => void
  readonly square?: boolean
}

/** A select that shows the avatar of the selected option. */
export const Select = ({ label, onChange, options, square = false, value }: SelectProps): ReactElement => {
  const chosen = options.find((option) => option.value === value)
  return (
    <span className="select">
      {chosen === undefined ? (
        <span className="mark" aria-hidden="true" />
      ) : (
        <Avatar name={chosen.text} square={square} />
      )}
      <select
        aria-label={label}
        value={chosen?.value ?? ""}
        disabled={options.length === 0}
        onChange={(event) => onChange(event.target.value)}
      >
        {chosen === undefined && <option value="">{text().page.select}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  )
}
