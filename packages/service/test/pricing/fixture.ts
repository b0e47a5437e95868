/** Chains, tokens and prices for pricing, with a venue so deep that prices can be computed by hand. */
import { Chain as CoreChain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { call } from "../../src/calls/call.js"
import type { Chain } from "../../src/chains/Chains.js"
import * as Config from "../../src/config/Config.js"
import type { Asset } from "../../src/domain/Asset.js"
import type { Refusal } from "../../src/domain/Refusal.js"
import * as Pricing from "../../src/pricing/Pricing.js"
import { type Plain, plainChain } from "../../src/testing/plainChain.js"
import * as TableVenue from "../../src/venue/TableVenue.js"
import type * as Venue from "../../src/venue/Venue.js"

export const address = (digit: string) => `0x${digit.repeat(40)}`
export const wallet = address("a")
export const recipient = address("b")
const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

const tokens = [
  { symbol: "USDC", address: address("1"), decimals: 6 },
  { symbol: "WETH", address: address("2"), decimals: 18, asset: "ether" },
  { symbol: "GEO", address: address("3"), decimals: 18 },
  { symbol: "GOLD", address: address("4"), decimals: 0 },
  { symbol: "THIN", address: address("5"), decimals: 6 },
  { symbol: "DARK", address: address("6"), decimals: 6 }
]
const evm = {
  kind: "evm",
  name: "Base",
  rpcUrls: ["http://x"],
  vaults: [{ address: wallet, delegate: wallet }],
  tokens
}
/** So deep that a thousand dollars move a price by less than 1 in 10^16. */
const deep = "100000000000000000000"
const file = {
  chains: [
    { ...evm, id: 1, native: { asset: "ether" } },
    {
      ...evm,
      id: 2,
      name: "Arbitrum",
      native: { asset: "ether" },
      tokens: tokens.filter(({ symbol }) => symbol !== "GEO")
    },
    {
      kind: "solana",
      id: 3,
      name: "Solana",
      rpcUrls: ["http://x"],
      vault: mint,
      tokens: [{ symbol: "USDC", address: mint, decimals: 9 }]
    }
  ],
  venue: {
    kind: "table",
    prices: {
      USDC: { usd: "1", depthUsd: deep },
      ether: { usd: "2000", depthUsd: deep },
      SOL: { usd: "100", depthUsd: deep },
      GEO: { usd: "0.5", depthUsd: deep },
      GOLD: { usd: "1000", depthUsd: deep },
      THIN: { usd: "1", depthUsd: "1000" },
      DARK: { usd: "1", depthUsd: deep, showUsd: false }
    }
  },
  fees: {
    baseFeeBps: 15.625,
    token: "GEO",
    tiers: [
      { tier: "bronze", minimum: "0.5", discountPercent: 0 },
      { tier: "silver", minimum: "1000", discountPercent: 20 },
      { tier: "gold", minimum: "10000", discountPercent: 100 }
    ]
  }
}
export const config = Effect.runSync(Config.parse(JSON.stringify(file)))
export const venue = Effect.runSync(
  Effect.suspend(() =>
    config.venue.kind === "table"
      ? Effect.succeed(TableVenue.make(config.venue, Config.priceNames(config)))
      : Effect.die("it is a table")
  )
)
export const withFee = (fees: object) => Effect.runSync(Config.parse(JSON.stringify({ ...file, fees })))
export const free = { baseFeeBps: 0 }

const familyOf = (id: number) => (id === 3 ? ("solana" as const) : ("evm" as const))
export const chain = (id: number, plain: Partial<Plain> = {}): Chain => {
  const { name = "", tokens = [] } = config.chains.find((one) => one.id === id) ?? {}
  return plainChain({
    family: familyOf(id),
    id,
    name,
    tokens,
    costOf: () => Effect.succeed(0n),
    balanceOf: () => Effect.succeed(0n),
    ...plain
  })
}
export const costs = (cost: bigint) => ({ costOf: () => Effect.succeed(cost) })
export const holds = (balance: bigint) => ({ balanceOf: () => Effect.succeed(balance) })
export const asset = (chainId: number, symbol: string): Asset => {
  const token = config.chains.find(({ id }) => id === chainId)?.tokens.find((one) => one.symbol === symbol)
  return token === undefined
    ? { chainId, address: CoreChain.nativeToken[familyOf(chainId)], symbol, decimals: chainId === 3 ? 9 : 18 }
    : { chainId, address: token.address, symbol, decimals: token.decimals }
}

const swap = (fields: Partial<Pricing.PriceInput> = {}): Pricing.PriceInput => ({
  origin: chain(1),
  destination: chain(2),
  inputToken: asset(1, "USDC"),
  outputToken: asset(2, "WETH"),
  amount: 100_000_000n,
  wallet,
  recipient,
  opensAccount: false,
  ...fields
})
export const price = (fields?: Partial<Pricing.PriceInput>, by: Config.Config = config, at: Venue.Venue = venue) =>
  call("price", Pricing.fromVenue(by, at).price)(swap(fields))
export const priced = (...args: Parameters<typeof price>) => Effect.runSync(price(...args))
export const refused = (...args: Parameters<typeof price>): Refusal => Effect.runSync(Effect.flip(price(...args)))
