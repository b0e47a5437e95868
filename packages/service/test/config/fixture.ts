/** A minimal configuration, and the problems of others. */
import * as Effect from "effect/Effect"
import * as Config from "../../src/config/Config.js"

export const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
export const weth = "0x4200000000000000000000000000000000000006"
export const vault = "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b"
export const delegate = "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
const solanaVault = "GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ"
export const solanaUsdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
export const privateKey = "0x4c0883a69102937d6231471b5dbb6204fe512961708279f1d0c5e0a0b0d1e2f3"
export const solanaKey = "5Kz7".repeat(22)
export const price = { usd: "1", depthUsd: "1000000" }

export const evm = {
  kind: "evm",
  id: 8453,
  name: "Base",
  rpcUrls: ["http://127.0.0.1:8545"],
  vaults: [{ address: vault, delegate }],
  tokens: [
    { symbol: "USDC", address: usdc, decimals: 6 },
    { symbol: "WETH", address: weth, decimals: 18 }
  ]
}
export const solana = {
  kind: "solana",
  id: 792703809,
  name: "Solana",
  rpcUrls: ["http://127.0.0.1:8899"],
  vault: solanaVault,
  tokens: [{ symbol: "USDC", address: solanaUsdc, decimals: 6 }]
}
export const table = { kind: "table", prices: { USDC: price, WETH: price, ETH: price, SOL: price } }
export const minimal = { chains: [evm, solana], venue: table, fees: { baseFeeBps: 10 } }
/** The same with one changed token. */
export const token = (fields: object) => ({
  ...minimal,
  chains: [{ ...evm, tokens: [{ ...evm.tokens[0], ...fields }] }]
})
/** The same with one changed chain. */
export const chain = (fields: object) => ({ ...minimal, chains: [{ ...evm, ...fields }] })
/** The same with tiers. */
export const tiers = (...list: ReadonlyArray<object>) => ({
  ...minimal,
  fees: { baseFeeBps: 10, token: "USDC", tiers: list }
})

export const parse = (file: unknown) => Config.parse(JSON.stringify(file))
export const problemsIn = (text: string) =>
  Effect.runSync(Effect.map(Effect.flip(Config.parse(text)), ({ problems }) => problems))
export const problems = (file: unknown) => problemsIn(JSON.stringify(file))
