/** The file of a wallet's policy, authenticated with a key derived from the wallet's secret. */
import * as Schema from "effect/Schema"
import { Deployments } from "../config/ConfigFile.js"

const Raw = Schema.String.check(Schema.isPattern(/^(0|[1-9][0-9]{0,77})$/))
const Decimal = Schema.String.check(Schema.isPattern(/^(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?$/))
const Bps = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))

/** A token on a chain. */
export const TokenRef = Schema.Struct({ chain: Schema.Int, token: Schema.String })

/** A pinned token. Its decimals never come from the service or from the configuration. */
export const PinnedToken = Schema.Struct({
  chain: Schema.Int,
  address: Schema.String,
  symbol: Schema.String,
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 77 })),
  /** In the smallest unit. A larger swap needs a person's approval. */
  approveAbove: Schema.optionalKey(Raw)
})

/** A token's price in dollars: fixed, or from a Chainlink-style aggregator that is read through the policy's node. */
export const PriceSource = Schema.Union([
  Schema.Struct({ usd: Decimal }),
  Schema.Struct({
    rpcUrl: Schema.String,
    chain: Schema.Int,
    address: Schema.String,
    maxAgeSeconds: Schema.Int.check(Schema.isGreaterThan(0))
  })
])

/** A pair with a price that does not come from the service. */
export const Pair = Schema.Union([
  Schema.Struct({ input: TokenRef, output: TokenRef, minRate: Decimal }),
  Schema.Struct({
    input: TokenRef,
    output: TokenRef,
    prices: Schema.Struct({ input: PriceSource, output: PriceSource }),
    maxLossBps: Bps
  })
])

/** The rules of a policy. Amounts are in the smallest unit. */
export const AgentRules = Schema.Struct({
  version: Schema.Literal(1),
  /** Grows with every change, so that an older policy is not accepted with a newer ledger. */
  revision: Schema.Int,
  wallet: Schema.Struct({ kind: Schema.Literals(["evm", "solana"]), address: Schema.String }),
  ledger: Schema.Struct({ path: Schema.String, id: Schema.String }),
  service: Schema.String,
  deployments: Deployments,
  /** The user's own nodes, by chain id. */
  nodes: Schema.Record(Schema.String, Schema.String),
  chains: Schema.Array(Schema.Int),
  tokens: Schema.Array(PinnedToken),
  recipients: Schema.Array(Schema.String),
  budgets: Schema.Array(
    Schema.Struct({
      chain: Schema.Int,
      token: Schema.String,
      amount: Raw,
      window: Schema.Literals(["hour", "day", "total"])
    })
  ),
  maxSlippageBps: Bps,
  maxFeeBps: Bps,
  maxPriceImpactBps: Bps,
  maxSwapsPerHour: Schema.Int.check(Schema.isGreaterThan(0)),
  pairs: Schema.Array(Pair),
  approvalSeconds: Schema.Int.check(Schema.isBetween({ minimum: 30, maximum: 86_400 })),
  elicitation: Schema.Boolean
})
export type AgentRules = typeof AgentRules.Type
