/** Two EVM chains and Solana for tests of the form. */
import type { ChainInfo, Network } from "@geoswap/core/promise"

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
    family: "evm",
    tokens: [
      { symbol: "USDC", address: usdcA, decimals: 6 },
      { symbol: "WETH", address: wethA, decimals: 18 }
    ]
  },
  { id: 2, name: "B", family: "evm", tokens: [{ symbol: "USDC", address: usdcB, decimals: 6 }] },
  { id: 3, name: "Sol", family: "solana", tokens: [{ symbol: "USDC", address: usdcSolana, decimals: 6 }] }
]

/** These chains and tokens, as a page would pin them. */
export const network: Network = {
  chains: chains.map(({ id, family, name, tokens }) => ({ id, name, family, tokens }))
}
