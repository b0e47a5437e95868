/** The native token symbols of well-known chains. */
import type { Chain } from "@geoswap/core"

const symbols: Readonly<Record<number, string>> = {
  1: "ETH",
  10: "ETH",
  56: "BNB",
  100: "XDAI",
  130: "ETH",
  137: "POL",
  324: "ETH",
  8453: "ETH",
  31337: "ETH",
  31338: "ETH",
  42161: "ETH",
  43114: "AVAX",
  59144: "ETH",
  84532: "ETH",
  421614: "ETH",
  11155111: "ETH"
}

/** Returns the symbol of a chain's native token, or `native` if the symbol is unknown. */
export const nativeSymbolOf = (chainId: number, family: Chain.Family): string =>
  family === "solana" ? "SOL" : (symbols[chainId] ?? "native")
