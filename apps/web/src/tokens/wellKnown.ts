/** Names and logos of well-known tokens. They are part of the page: no other host learns which tokens are shown. */

interface WellKnown {
  readonly name: string
  /** The background of the logo. All logos have a white sign on it, with a contrast of at least 3:1. */
  readonly color: string
  /** The sign of the logo in a box of 24 × 24, as a path. */
  readonly path: string
  /** Whether the sign is drawn as a line. Otherwise, it is filled. */
  readonly isLine?: boolean
}

const ether = "M12 3l5.5 9.2L12 15.5l-5.5-3.3L12 3zm0 18l-5.5-7.6L12 16.7l5.5-3.3L12 21z"
const dollar =
  "M12 5v2m0 10v2m3-9.2c-.4-1.2-1.5-1.8-3-1.8-1.7 0-3 .8-3 2.1 0 3 6.2 1.4 6.2 4.5 0 1.5-1.4 2.4-3.2 2.4-1.7 0-3-.8-3.2-2.2"

/** Well-known tokens by symbol, the most popular first. */
const tokens: Readonly<Record<string, WellKnown>> = {
  USDC: { name: "USD Coin", color: "#2775ca", path: dollar, isLine: true },
  ETH: { name: "Ether", color: "#627eea", path: ether },
  WETH: { name: "Wrapped Ether", color: "#c2397c", path: ether },
  SOL: { name: "Solana", color: "#7c3fd6", path: "M7 7.5h10l-2 2H5l2-2zm-2 3.6h10l2 2H7l-2-2zm2 3.6h10l-2 2H5l2-2z" },
  USDT: { name: "Tether", color: "#1f8f6f", path: "M7 6h10v2.5h-3.6V18h-2.8V8.5H7V6z" },
  EURC: {
    name: "Euro Coin",
    color: "#1f5fb8",
    path: "M16 8.2A5 5 0 0 0 7.8 12 5 5 0 0 0 16 15.8M6 10.7h7m-7 2.6h7",
    isLine: true
  },
  WBTC: {
    name: "Wrapped Bitcoin",
    color: "#b8690f",
    path: "M9 6h4.2a2.6 2.6 0 0 1 0 5.6H9V6zm0 5.6h4.8a2.9 2.9 0 0 1 0 5.9H9v-5.9z",
    isLine: true
  },
  DAI: { name: "Dai", color: "#a87a12", path: "M8 6h3.5a6 6 0 0 1 0 12H8V6zM6 10.5h12m-12 3h12", isLine: true }
}

const symbols = Object.keys(tokens)
/** Returns the token's name, or its symbol if it has no well-known name. */
export const nameOfToken = ({ symbol }: { readonly symbol: string }) => tokens[symbol]?.name ?? symbol

/** Returns the position among popular tokens. Lower is more popular. */
export const popularity = ({ symbol }: { readonly symbol: string }) => {
  const at = symbols.indexOf(symbol)
  return at === -1 ? symbols.length : at
}

/** Returns the logo of a well-known token. */
export const logoOf = (symbol: string): WellKnown | undefined => tokens[symbol]
