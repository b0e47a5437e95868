/** An avatar for a chain, a token or a wallet, derived from its name. */
import type { CSSProperties } from "react"

const hues = [30, 55, 85, 125, 160, 190, 220, 255, 300, 350]

const hueOf = (name: string) => {
  // FNV-1a: similar names get different colors.
  let hash = 0x811c9dc5
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hues[hash % hues.length]
}

/** Returns the initials of a name such as `devnet-a`, or its first two letters. */
const lettersOf = (name: string) => {
  const [first = "", second] = name.split(/[\s\-_.]+/)
  return (second === undefined || second === "" ? first.slice(0, 2) : first.charAt(0) + second.charAt(0)).toUpperCase()
}

interface AvatarProps {
  readonly name: string
  readonly icon?: string | undefined
  /** Chains are square; tokens and wallets are round. */
  readonly square?: boolean
}

/** Shows the wallet's icon, or the initials of the name. */
export const Avatar = ({ icon, name, square = false }: AvatarProps) =>
  icon === undefined ? (
    <span
      className={square ? "mark mark-square" : "mark"}
      style={{ "--hue": hueOf(name) } as CSSProperties}
      // Not a text of the element: it would be part of what a button around it says.
      data-letters={lettersOf(name)}
      aria-hidden="true"
    />
  ) : (
    <img className="mark" src={icon} alt="" />
  )
