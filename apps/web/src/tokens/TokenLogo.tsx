/** The logo of a token, with its chain in the corner. */
import { Avatar } from "../ui/Avatar.js"
import { logoOf } from "./wellKnown.js"

interface TokenLogoProps {
  readonly symbol: string
  readonly chain?: string | undefined
}

/** Shows a bundled logo for a well-known token, and otherwise the first letters of its symbol. */
export const TokenLogo = ({ chain, symbol }: TokenLogoProps) => {
  const logo = logoOf(symbol)
  return (
    <span className="logo" aria-hidden="true">
      {logo === undefined ? (
        <Avatar name={symbol} />
      ) : (
        <svg className="mark" viewBox="0 0 24 24">
          <circle cx="12" cy="12" r="12" fill={logo.color} />
          <path d={logo.path} fill={logo.isLine ? "none" : "#fff"} stroke={logo.isLine ? "#fff" : "none"} />
        </svg>
      )}
      {chain !== undefined && <Avatar name={chain} square />}
    </span>
  )
}
