/** The contracts and tokens on the chains of the benchmark. */

export const chains = [
  { id: 31_337, name: "One" },
  { id: 31_338, name: "Two" }
] as const

export const contracts = {
  vault: "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b",
  delegate: "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
} as const

export const tokens = [
  { symbol: "USDC", address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", decimals: 6 },
  { symbol: "WETH", address: "0x4200000000000000000000000000000000000006", decimals: 18 }
] as const
