/** The configuration of chains. */
import * as Schema from "effect/Schema"
import * as Fields from "./fieldSchemas.js"
import { ChainPayments, TokenPayments } from "./paymentSchemas.js"

const { Amount, EvmAddress, Name, SocketUrl, SolanaAddress, Url, Variable, whole, withDefault } = Fields

const anyToken = {
  symbol: Name,
  decimals: whole(0, 36),
  /** The token's name in the venue's table (default: its symbol). */
  asset: Schema.optionalKey(Name)
}

/** A token that can be swapped. */
export interface Token {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  readonly asset?: string
  /** EVM: how the token can be paid with, other than with a delegation. */
  readonly payments?: TokenPayments
}

const EvmToken = Schema.Struct({
  ...anyToken,
  address: EvmAddress.pipe(Schema.decodeTo(Schema.String)),
  /** How the token can be paid with, other than with a delegation (default: in no other way). */
  payments: Schema.optionalKey(TokenPayments)
})
const SolanaToken = Schema.Struct({ ...anyToken, address: SolanaAddress })

const native = (symbol: string) =>
  withDefault(Schema.Struct({ symbol: withDefault(Name, symbol), asset: Schema.optionalKey(Name) }), {})

const anyChain = {
  /** The public network whose fields have been filled in. */
  network: Schema.optionalKey(Name),
  id: Fields.ChainId,
  name: Name,
  /** The URLs of the nodes, in order of preference. */
  rpcUrls: Schema.NonEmptyArray(Url),
  /**
   * The URLs to which the service's transactions are sent instead of `rpcUrls`, such as private relays. Nothing is read
   * from them.
   */
  sendUrls: Schema.optionalKey(Schema.NonEmptyArray(Url)),
  /** How many nodes must agree on a final result (default: a majority). */
  quorum: Schema.optionalKey(whole(1, Fields.maxQuorum)),
  /** How often to poll a pending transaction. */
  pollMillis: withDefault(whole(20, 60_000), 1_000),
  /** The maximum number of swaps that share a transaction. If it is 1, each swap has separate transactions. */
  maxBatch: withDefault(whole(1, 50), 10),
  /** The timeout for one request to a node. */
  timeoutMillis: withDefault(whole(100, 60_000), 10_000),
  /** The maximum number of calls per second to each of the nodes (default: any number). A batch is several calls. */
  requestsPerSecond: Schema.optionalKey(whole(1, 100_000)),
  /** The maximum number of calls at the same time to each of the nodes. */
  maxConcurrent: withDefault(whole(1, 10_000), 256)
}

/** A vault contract, and the account contract that pays into it. */
const Vault = Schema.Struct({
  address: EvmAddress,
  /** The account contract that the vault deployed. */
  delegate: EvmAddress
})
export type Vault = typeof Vault.Type

const Gas = whole(0, 1_000_000_000_000)

/**
 * The limits of the gas of collections in flight, which is lost if wallets make their collections revert. A collection is in
 * flight until it is final. The defaults are far above what honest callers reach: 10 swaps per second for each account, on a
 * chain that takes two minutes to be final.
 */
const Exposure = Schema.Struct({
  gasPerWallet: withDefault(Gas, 10_000_000),
  /** Of a visitor to the page. All visitors share one account. */
  gasPerVisitor: withDefault(Gas, 5_000_000),
  gasPerAccount: withDefault(Gas, 200_000_000),
  gasPerChain: withDefault(Gas, 1_000_000_000)
})
export type Exposure = typeof Exposure.Type

/**
 * The limits of what the service loses with collections that do not collect the input. The gas is counted for each payment
 * method and clock hour. An account can use half of it, and a visitor to the page a twentieth.
 */
const Losses = Schema.Struct({
  /** The lost gas at which a method is no longer offered until the next hour. */
  gasPerHour: withDefault(Gas, 5_000_000),
  /** The number of losses in 24 hours at which a wallet that caused them can no longer pay. */
  strikes: withDefault(whole(1, 1_000_000), 3)
})
export type Losses = typeof Losses.Type

/**
 * How deep a block must be to be final: as deep as a node's latest `safe` or `finalized` block, older than the latest
 * block by some seconds, or covered by some blocks, including itself.
 */
const Depth = Schema.Union([
  Schema.Literals(["safe", "finalized"]),
  Schema.Struct({ seconds: whole(1, 86_400) }),
  Schema.Struct({ blocks: whole(1, 10_000) })
]).annotate({ expected: '"safe", "finalized", { "seconds": 24 } or { "blocks": 12 }' })
export type Depth = typeof Depth.Type

/**
 * The depth up to an amount in US dollars. The amount is the sum of what the wallet or, if that is more, the account has
 * in flight, so that many small swaps are as final as one large swap.
 */
const Tier = Schema.Struct({ upToUsd: Schema.optionalKey(Fields.Rate), after: Depth })

/** Tiers with increasing amounts. Only the last one has no limit. */
const Finality = Schema.NonEmptyArray(Tier)

/** The maximum number of relayers that a vault allows. */
const maxRelayers = 32

export const EvmChain = Schema.Struct({
  ...anyChain,
  kind: Schema.tag("evm"),
  /**
   * The websocket URLs of the nodes in `rpcUrls`, in the same order. A node whose URL is empty does not announce its
   * blocks.
   */
  wsUrls: Schema.optionalKey(Schema.Array(SocketUrl)),
  native: native("ETH"),
  tokens: Schema.Array(EvmToken),
  /**
   * The vaults, in order of preference. Wallets delegate to the first vault's account contract, and deliveries are paid
   * from the first vault.
   */
  vaults: Schema.NonEmptyArray(Vault),
  /** When a transaction is final. */
  finality: withDefault(Finality, [{ after: "finalized" }]),
  /** How long a transaction can be pending before it is replaced by one with a higher fee. */
  stuckAfterMillis: withDefault(whole(100, 3_600_000), 30_000),
  /** The maximum fee per unit of gas, in wei. */
  maxFeePerGas: withDefault(Amount, "500000000000"),
  /** What transactions pay for besides their gas. */
  feeModel: withDefault(Schema.Literals(["l1", "op-stack", "arbitrum", "polygon"]), "l1"),
  /** The limits of the gas of collections in flight. */
  exposure: withDefault(Exposure, {}),
  /** The limits of what collections may lose. */
  losses: withDefault(Losses, {}),
  /** The limits of payments without a delegation. Each token lists its methods. */
  payments: withDefault(ChainPayments, {}),
  keys: withDefault(
    Schema.Struct({
      /** The variable for the only relayer (default: GEOSWAP_EVM_RELAYER_KEY). */
      relayer: Schema.optionalKey(Variable),
      /** The variables for several relayers, instead of `relayer`. Each relayer has a separate sequence of nonces. */
      relayers: Schema.optionalKey(Schema.NonEmptyArray(Variable).check(Schema.isMaxLength(maxRelayers)))
    }),
    {}
  )
})
export type EvmChain = typeof EvmChain.Type

/** The environment variables with the keys of an EVM chain's relayers. */
export const relayerKeysOf = ({ keys }: Pick<EvmChain, "keys">): readonly [string, ...ReadonlyArray<string>] =>
  keys.relayers ?? [keys.relayer ?? "GEOSWAP_EVM_RELAYER_KEY"]

export const SolanaChain = Schema.Struct({
  ...anyChain,
  kind: Schema.tag("solana"),
  native: native("SOL"),
  tokens: Schema.Array(SolanaToken),
  /** The owner of the token accounts that hold the inventory. */
  vault: SolanaAddress,
  /** The limits of the priority fee, in micro-lamports per compute unit. The price is read from the chain. */
  computeUnitPrice: withDefault(
    Schema.Struct({ floor: withDefault(Amount, "1000"), cap: withDefault(Amount, "1000000") }),
    {}
  ),
  keys: withDefault(
    Schema.Struct({
      relayer: withDefault(Variable, "GEOSWAP_SOLANA_RELAYER_KEY"),
      vault: withDefault(Variable, "GEOSWAP_SOLANA_VAULT_KEY")
    }),
    {}
  )
})
export type SolanaChain = typeof SolanaChain.Type
