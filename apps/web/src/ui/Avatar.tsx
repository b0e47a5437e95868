/** A disc that stands for a chain, a token or a wallet: its colour and letters come from its name. */
import type { CSSProperties, ReactElement } from "react"

/** Colours of a map: woods, waters, soils. */
const hues = [30, 55, 85, 125, 160, 190, 220, 255, 300, 350]

const hueOf = (name: string): number | undefined => {
  // FNV-1a: names that differ little get colours that differ much.
  let hash = 0x811c9dc5
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hues[hash % hues.length]
}

/** The letters of a name: the ends of what is like `devnet-a`, the beginning of anything else. */
const lettersOf = (name: string): string => {
  const [first = "", second] = name.split(/[\s\-_.]+/)
  return (second === undefined || second === "" ? first.slice(0, 2) : first.charAt(0) + second.charAt(0)).toUpperCase()
}

interface AvatarProps {
  readonly name: string
  readonly icon?: string | undefined
  /** Chains are square, tokens and wallets round. */
  readonly square?: boolean
}

/** The disc of a name, or the picture that a wallet brings. */
export const Avatar = ({ icon, name, square = false }: AvatarProps): ReactElement =>
  icon === undefined ? (
    <span
      className={square ? "mark mark-square" : "mark"}
      style={{ "--hue": hueOf(name) } as CSSProperties}
      aria-hidden="true"
    >
      {lettersOf(name)}
    </span>
  ) : (
    <img className="mark" src={icon} alt="" />
  )
