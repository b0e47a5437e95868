/** A hash or address that can be copied and opened in an explorer. */
import { useState } from "react"
import { formatAddress, shortenAddress } from "../format/amounts.js"
import { Icon } from "./Icon.js"
import { text } from "../language/language.js"

interface HashProps {
  /** What the value is, such as "transaction hash" or "address". */
  readonly what: string
  readonly value: string
  readonly link?: string | undefined
  readonly full?: boolean
}

/** Shows the value with its actions. The value is shortened unless `full` is true. */
export const Hash = ({ full = false, link, value: raw, what }: HashProps) => {
  const value = formatAddress(raw)
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <span className="hash">
      <code title={value}>{full ? value : shortenAddress(value)}</code>
      <button
        type="button"
        className="plain small"
        aria-label={copied ? text.page.copied : text.page.copy(what)}
        onClick={() => void copy().catch(() => undefined)}
      >
        <Icon name={copied ? "check" : "copy"} />
      </button>
      {link !== undefined && (
        <a href={link} target="_blank" rel="noreferrer" aria-label={text.page.openInExplorer(what)}>
          <Icon name="out" />
        </a>
      )}
    </span>
  )
}
