/** The port to a chain: what quotes, builds and submits read from it, and how transactions are made and watched. */
import type { Chain as CoreChain } from "@geoswap/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Attempt, EvmOperation, SolanaOperation } from "../store/SwapRecord.js"

/** The node did not answer, or not sensibly: nothing is known, ask again later. */
export class ChainUnavailable extends Schema.TaggedError<ChainUnavailable>()("ChainUnavailable", {
  chainId: Schema.Int,
  message: Schema.String,
  /** Whether it was too slow, rather than refusing. */
  timeout: Schema.Boolean,
  /** It answered, and does not have the block yet that was asked for: it may catch up within seconds. */
  behind: Schema.optionalKey(Schema.Boolean)
}) {}

/** The chain said that a transaction would do nothing but cost gas. */
export class Impossible extends Schema.TaggedError<Impossible>()("Impossible", {
  chainId: Schema.Int,
  /** For `failureCode`. */
  code: Schema.Literals([
    "INVALID_AUTHORIZATION",
    "OPERATION_EXPIRED",
    "INSUFFICIENT_BALANCE",
    "INSUFFICIENT_INVENTORY",
    "CAP_EXCEEDED",
    "VAULT_PAUSED",
    "ALREADY_DONE",
    "REVERTED"
  ]),
  message: Schema.String
}) {}

/** What a transaction is to do, from the swap alone. */
export type Job = CollectJob | SendJob

/** The input comes in, as the wallet signed it. */
export interface CollectJob {
  readonly kind: "collect"
  readonly orderId: string
  readonly wallet: string
  readonly token: string
  readonly amount: bigint
  readonly terms: string
  readonly operation: EvmOperation | SolanaOperation
  /** EVM: the vault that the wallet pays. If omitted: that of the operation's delegate. */
  readonly vault?: string
}

/** The output goes out, or the input goes back, once per order. */
export interface SendJob {
  readonly kind: "deliver" | "refund"
  readonly orderId: string
  readonly token: string
  readonly to: string
  readonly amount: bigint
  /**
   * Solana: the caller has paid for a token account of the recipient. Where nobody has, none is opened: whoever closes
   * theirs on the way would be given the rent of a new one, again and again.
   */
  readonly opensAccount: boolean
  /**
   * EVM: the vault that pays. If omitted: that of the attempts; without attempts, a delivery leaves from the first vault
   * that can make it, and a refund from the first vault.
   */
  readonly vault?: string
}

/** A transaction that was simulated and not signed yet; what is inside is the chain's own business. */
export interface Draft {
  readonly job: Job
  /** Opaque. */
  readonly plan: unknown
}

/** What the chain knows of a job's attempts. */
export type Outcome =
  /** Not included anywhere, and still able to. */
  | { readonly _tag: "Waiting" }
  /** Included in `block`, and may still vanish. `hash` did what it should, or not. */
  | { readonly _tag: "Included"; readonly hash: string; readonly succeeded: boolean; readonly block: bigint }
  /** Final, with our event, in `block`: from there on balances show it. */
  | { readonly _tag: "Done"; readonly hash: string; readonly block: bigint }
  /**
   * Final: none of the attempts did it, and none can. `reverted`: one was included and failed; `replaced`: its nonce is
   * used by something else; `expired`: its blockhash is past.
   */
  | {
      readonly _tag: "Dead"
      readonly why: "reverted" | "replaced" | "expired"
      readonly hash?: string
      readonly message: string
    }

/** What the chain knows of an order besides our attempts. */
export type ExternalSettlement =
  /** For a quorum of nodes, the order is not used at the newest block; on Solana nothing can know it. */
  | { readonly _tag: "Unused" }
  /** Final for a quorum of nodes: this transaction did exactly the job, in `block`. */
  | { readonly _tag: "Done"; readonly hash: string; readonly block: bigint }
  /** The order is used, and not (yet) provably for this job: whatever is done now could be done twice. */
  | { readonly _tag: "Unclear"; readonly message: string }

/** What is known, at quorum, about the payment of an operation, from the vault's events alone. */
export type Collection =
  /** Final: the vault's `Collected` event for this order, wallet, token, amount and terms is in this transaction. */
  | { readonly _tag: "Collected"; readonly hash: string; readonly block: bigint }
  /**
   * Final: the newest final block is past the operation's deadline, and no block up to it has the event. It can never
   * be collected. `nodes` are the hosts that report it.
   */
  | { readonly _tag: "Never"; readonly block: bigint; readonly time: number; readonly nodes: ReadonlyArray<string> }
  /** Neither is shown yet. */
  | { readonly _tag: "Open"; readonly message: string }

/** What a given transaction paid for an order, at quorum, from the vaults' events alone. */
export type Payment =
  /** Final: any amount of any token, to anybody. `nodes` are the hosts that report it. */
  | {
      readonly _tag: "Paid"
      readonly kind: "deliver" | "refund"
      readonly to: string
      readonly token: string
      readonly amount: bigint
      readonly hash: string
      readonly block: bigint
      readonly nodes: ReadonlyArray<string>
    }
  | { readonly _tag: "Unproven"; readonly message: string }

/** How many nodes of a chain answer and agree with each other. Below `quorum`, no terminal fact is believed. */
export interface Agreement {
  /** How many are configured. */
  readonly nodes: number
  readonly agreeing: number
  readonly quorum: number
}

/** An amount as the chain had it at a block: its number on EVM chains, its slot on Solana. */
export interface Holding {
  readonly amount: bigint
  readonly block: bigint
}

/** How an EVM wallet stands towards our delegate. */
export interface WalletState {
  readonly delegation: "none" | "ours" | "foreign"
  readonly delegatedTo?: `0x${string}`
  /** Which of our vaults it pays, if the delegation is ours. */
  readonly vault?: string
  readonly nonce: number
}

/** Network cost is asked for by what has to be paid there. */
export interface CostQuery {
  readonly kind: "collect" | "deliver"
  readonly token: string
  /** The payer of a collect, the recipient of a delivery. */
  readonly party: string
  /** Solana: whether a delivery pays for a token account of the recipient. */
  readonly opensAccount: boolean
  /** EVM chains: the gas, if it is known already. */
  readonly gas?: bigint
}

/** The gas of a delivery on an EVM chain. */
export interface DeliveryGas {
  /** What a quote charges for: what the delivery needs now, and not less than is usual for the token and the recipient. */
  readonly charged: bigint
  /** What it would use now; 0 if it would revert. */
  readonly needed: bigint
}

/** A transaction on Solana that the wallet is to sign. */
export interface UnsignedTransaction {
  /** Base64 of the wire transaction, without signatures. */
  readonly transaction: string
  readonly lastValidBlockHeight: bigint
}

interface AnyChain {
  readonly id: number
  readonly name: string
  readonly tokens: ReadonlyArray<CoreChain.Token>
  /** Where inputs of new wallets go, and where deliveries leave from. */
  readonly vault: string
  /** All vaults in use, that one first. */
  readonly vaults: ReadonlyArray<string>
  /** Who sends our transactions and pays for them. */
  readonly relayer: string
  /** How often a waiting transaction is worth another look. */
  readonly pollMillis: number

  /** Fails where the node is not the configured chain, or the contracts and roles are not as configured. In words. */
  readonly verify: Effect.Effect<void, ChainUnavailable | Misconfigured>
  /** What a wallet has of a token, or of the native one. */
  readonly balanceOf: (token: string, owner: string) => Effect.Effect<bigint, ChainUnavailable>
  /** What can be sent out of a token in one go: the first vault's balance, and not more than its cap for an hour. */
  readonly inventoryOf: (token: string) => Effect.Effect<bigint, ChainUnavailable>
  /**
   * The same two for an acceptance: read at one block, which is returned with the amount and is not older than `since`.
   * Fails with `behind` if no node has that block yet.
   */
  readonly balanceAt: (token: string, owner: string, since: bigint) => Effect.Effect<Holding, ChainUnavailable>
  readonly inventoryAt: (token: string, since: bigint) => Effect.Effect<Holding, ChainUnavailable>
  /** The largest input of a wallet that could be refunded by itself. */
  readonly largestInput: (token: string, wallet: string) => Effect.Effect<bigint, ChainUnavailable>
  /** What a transaction costs, in smallest units of the native token. */
  readonly costOf: (query: CostQuery) => Effect.Effect<bigint, ChainUnavailable>

  /** Simulates a job. */
  readonly prepare: (job: Job) => Effect.Effect<Draft, ChainUnavailable | Impossible>
  /** Signs it. EVM chains need the nonce. */
  readonly sign: (draft: Draft, nonce: number | undefined) => Effect.Effect<Attempt, ChainUnavailable>
  /** Brings an attempt to the chain. What the node answers decides nothing, so this fails only for the log. */
  readonly broadcast: (attempt: Attempt) => Effect.Effect<void, ChainUnavailable>
  /** Looks at all attempts of a job, oldest first. `Done` and `Dead` need a quorum of nodes. */
  readonly observe: (job: Job, attempts: ReadonlyArray<Attempt>) => Effect.Effect<Outcome, ChainUnavailable>
  /**
   * Another attempt in place of those that wait, to be stored before it is broadcast: a bump of at least 12.5 % where
   * the last has waited too long, or one that only uses the nonce up where `cancel` is set and none of the last does.
   * `undefined` where there is nothing to do yet. Never on Solana.
   */
  readonly replace: (
    job: Job,
    attempts: ReadonlyArray<Attempt>,
    cancel: boolean
  ) => Effect.Effect<Attempt | undefined, ChainUnavailable>
  /** Whether the job was done by another transaction than ours: by the vault's owner, or by a process we forgot. */
  readonly externalSettlement: (job: SendJob) => Effect.Effect<ExternalSettlement, ChainUnavailable>
  /**
   * Whether, at quorum and in one and the same block per node, this delivery succeeds for a control address and fails
   * for the recipient. Anything unclear is `false`.
   */
  readonly recipientAtFault: (job: SendJob) => Effect.Effect<boolean, ChainUnavailable>
  /** How many nodes agree at the moment. Nodes that do not answer are not an error. */
  readonly agreement: Effect.Effect<Agreement>
}

export interface EvmChain extends AnyChain {
  readonly family: "evm"
  /** The contract that wallets are asked to delegate to. */
  readonly delegate: string
  /** The contracts of all vaults, that one first. */
  readonly delegates: ReadonlyArray<string>
  /** The vault that stored attempts of a job were signed for. Every later attempt is made for the same vault. */
  readonly vaultOf: (attempts: ReadonlyArray<Attempt>) => string | undefined
  readonly walletState: (wallet: string) => Effect.Effect<WalletState, ChainUnavailable>
  /** The gas of a delivery. Code of the recipient, or of the token, can make it need much more than is usual. */
  readonly deliveryGas: (
    delivery: Pick<SendJob, "token" | "to" | "amount">
  ) => Effect.Effect<DeliveryGas, ChainUnavailable>
  /** Whether an operation was paid, or never can be. */
  readonly collection: (job: CollectJob) => Effect.Effect<Collection, ChainUnavailable>
  /** What this transaction paid for an order. */
  readonly paymentIn: (orderId: string, hash: string) => Effect.Effect<Payment, ChainUnavailable>
  /**
   * 256 bits of the wallet's bitmap of used nonces, for choosing one that is free: bit `i` is nonce `256 * word + i`. A
   * hint of one node at its newest block, never evidence that an operation was paid: for that see `collection`.
   */
  readonly usedNonces: (wallet: string, word: bigint) => Effect.Effect<bigint, ChainUnavailable>
  /** The relayer's nonce at the newest final block that a quorum has. */
  readonly relayerNonce: Effect.Effect<number, ChainUnavailable>
  /** The time of the newest final block that a quorum has, in Unix seconds. */
  readonly finalTime: Effect.Effect<number, ChainUnavailable>
}

export interface SolanaChain extends AnyChain {
  readonly family: "solana"
  /** Whether somebody has no account for a token yet, which costs rent. */
  readonly lacksAccount: (token: string, owner: string) => Effect.Effect<boolean, ChainUnavailable>
  /** The transaction of a swap, for the wallet to sign. */
  readonly buildCollect: (input: {
    readonly wallet: string
    readonly token: string
    readonly amount: bigint
    /** `geoswap:<orderId>:<terms>` */
    readonly memo: string
  }) => Effect.Effect<UnsignedTransaction, ChainUnavailable>
}

export type Chain = EvmChain | SolanaChain

/** A chain is not what the configuration says. All that is wrong, in words. */
export class Misconfigured extends Schema.TaggedError<Misconfigured>()("Misconfigured", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return this.problems.join("\n")
  }
}

/** The chains of the service, by id. */
export class Chains extends Context.Service<Chains, ReadonlyMap<number, Chain>>()("@geoswap/service/Chains") {}
