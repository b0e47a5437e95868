/** Two EVM chains and Solana for tests of the form. */
import type { ChainInfo } from "@geoswap/core/promise"
import type { PinnedToken } from "@geoswap/core/promise"

const evm = (digit: string) => `0x${digit.repeat(40)}`

export const usdcA = evm("a")
export const wethA = evm("b")
export const usdcB = evm("c")
export const usdcSolana = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
export const payer = evm("1")
export const payerSolana = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"

export const chains: ReadonlyArray<ChainInfo> = [
  {
    id: 1,
    name: "A",
    kind: "evm",
    tokens: [
      { symbol: "USDC", address: usdcA, decimals: 6 },
      { symbol: "WETH", address: wethA, decimals: 18 }
    ]
  },
  { id: 2, name: "B", kind: "evm", tokens: [{ symbol: "USDC", address: usdcB, decimals: 6 }] },
  { id: 3, name: "Sol", kind: "solana", tokens: [{ symbol: "USDC", address: usdcSolana, decimals: 6 }] }
]

/** These tokens, as a page would pin them. */
export const pinned: ReadonlyArray<PinnedToken> = chains.flatMap(({ id, tokens }) =>
  tokens.map(({ address, decimals, symbol }) => ({ chainId: id, address, symbol, decimals }))
)
