/** The port to a chain: reads for quotes, builds and submits, and sending and observing transactions. */
import type { Chain as CoreChain } from "@geoswap/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Attempt, EvmOperation, SolanaOperation } from "../store/SwapRecord.js"

/** The node did not answer, or its answer was invalid. Nothing is known. Try again later. */
export class ChainUnavailable extends Schema.TaggedError<ChainUnavailable>()("ChainUnavailable", {
  chainId: Schema.Int,
  message: Schema.String,
  /** Whether the node was too slow. */
  timeout: Schema.Boolean,
  /** The node does not have the requested block yet. It may catch up within seconds. */
  behind: Schema.optionalKey(Schema.Boolean)
}) {}

/** The simulation shows that a transaction would fail. */
export class Impossible extends Schema.TaggedError<Impossible>()("Impossible", {
  chainId: Schema.Int,
  /** Becomes the `failureCode` of the swap. */
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

/** What a transaction does. Derived from the swap. */
export type Job = CollectJob | SendJob

/** Collects the input, as the wallet signed it. */
export interface CollectJob {
  readonly kind: "collect"
  readonly orderId: string
  readonly wallet: string
  readonly token: string
  readonly amount: bigint
  readonly terms: string
  readonly operation: EvmOperation | SolanaOperation
  /** EVM: the vault that the wallet pays (default: the vault of the operation's delegate). */
  readonly vault?: string
}

/** Delivers the output or refunds the input, once per order. */
export interface SendJob {
  readonly kind: "deliver" | "refund"
  readonly orderId: string
  readonly token: string
  readonly to: string
  readonly amount: bigint
  /**
   * Solana: whether the caller paid for a token account of the recipient. Otherwise none is opened: a recipient who
   * closes the account during the swap would get the rent of a new one each time.
   */
  readonly opensAccount: boolean
  /**
   * EVM: the vault that pays (default: the vault of the attempts). Without attempts, a delivery uses the first vault that
   * can make it, and a refund the first vault.
   */
  readonly vault?: string
}

/** A transaction that was simulated and is not signed yet. */
export interface Draft {
  readonly job: Job
  /** Opaque. */
  readonly plan: unknown
}

/** The state of a job's attempts on the chain. */
export type Outcome =
  /** Not included in a block, and still can be. */
  | { readonly _tag: "Waiting" }
  /** Included in `block`, which can still be undone. `succeeded`: whether `hash` did the job. */
  | { readonly _tag: "Included"; readonly hash: string; readonly succeeded: boolean; readonly block: bigint }
  /** Final, with our event, in `block`. Balances include it from that block. */
  | { readonly _tag: "Done"; readonly hash: string; readonly block: bigint }
  /**
   * Final: no attempt did the job, and none can. `reverted`: one was included and failed. `replaced`: another transaction
   * used its nonce. `expired`: its blockhash expired.
   */
  | {
      readonly _tag: "Dead"
      readonly why: "reverted" | "replaced" | "expired"
      readonly hash?: string
      readonly message: string
    }

/** Whether a transaction that is not one of our attempts settled an order. */
export type ExternalSettlement =
  /** A quorum of nodes reports the order as unused at the newest block. Always on Solana, which does not record orders. */
  | { readonly _tag: "Unused" }
  /** Final for a quorum of nodes: this transaction did exactly the job, in `block`. */
  | { readonly _tag: "Done"; readonly hash: string; readonly block: bigint }
  /** The order is used, and it is not proven for what: acting now could pay twice. */
  | { readonly _tag: "Unclear"; readonly message: string }

/** Whether an operation was paid, according to a quorum and only by the vault's events. */
export type Collection =
  /** Final: the vault's `Collected` event for this order, wallet, token, amount and terms is in this transaction. */
  | { readonly _tag: "Collected"; readonly hash: string; readonly block: bigint }
  /**
   * Final: the newest final block is past the operation's deadline, and no block up to it has the event. It can never
   * be collected. `nodes` are the hosts that report it.
   */
  | { readonly _tag: "Never"; readonly block: bigint; readonly time: number; readonly nodes: ReadonlyArray<string> }
  /** Neither is proven yet. */
  | { readonly _tag: "Open"; readonly message: string }

/** What a given transaction paid for an order, according to a quorum and only by the vaults' events. */
export type Payment =
  /** Final: any amount of any token, to any address. `nodes` are the hosts that report it. */
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

/** How many nodes of a chain answer and agree. Below `quorum`, no terminal fact is accepted. */
export interface Agreement {
  /** The number of configured nodes. */
  readonly nodes: number
  readonly agreeing: number
  readonly quorum: number
}

/** An amount at a block (EVM) or slot (Solana). */
export interface Holding {
  readonly amount: bigint
  readonly block: bigint
}

/** The delegation of an EVM wallet. */
export interface WalletState {
  readonly delegation: "none" | "ours" | "foreign"
  readonly delegatedTo?: `0x${string}`
  /** The vault that the wallet pays, if the delegation is ours. */
  readonly vault?: string
  readonly nonce: number
}

/** A transaction whose network cost is requested. */
export interface CostQuery {
  readonly kind: "collect" | "deliver"
  readonly token: string
  /** The payer of a collect, or the recipient of a delivery. */
  readonly party: string
  /** Solana: whether a delivery pays for a token account of the recipient. */
  readonly opensAccount: boolean
  /** EVM: the gas, if it is already known. */
  readonly gas?: bigint
}

/** The gas of a delivery on an EVM chain. */
export interface DeliveryGas {
  /** The gas that a quote charges: what the delivery needs now, and at least the usual amount. */
  readonly charged: bigint
  /** The gas that the delivery would use now, or 0 if it would revert. */
  readonly needed: bigint
}

/** A Solana transaction for the wallet to sign. */
export interface UnsignedTransaction {
  /** Base64 of the wire transaction, without signatures. */
  readonly transaction: string
  readonly lastValidBlockHeight: bigint
}

interface AnyChain {
  readonly id: number
  readonly name: string
  readonly tokens: ReadonlyArray<CoreChain.Token>
  /** The first vault: it receives the inputs of new wallets and makes deliveries. */
  readonly vault: string
  /** All vaults in use, the first one first. */
  readonly vaults: ReadonlyArray<string>
  /** The address that sends and pays for our transactions. */
  readonly relayer: string
  /** How often to poll a pending transaction. */
  readonly pollMillis: number

  /** Fails if the node is on another chain, or if contracts and roles differ from the configuration. */
  readonly verify: Effect.Effect<void, ChainUnavailable | Misconfigured>
  /** Returns the balance of a token, or of the native token. */
  readonly balanceOf: (token: string, owner: string) => Effect.Effect<bigint, ChainUnavailable>
  /** Returns how much of a token can be sent at once: the first vault's balance, up to its hourly cap. */
  readonly inventoryOf: (token: string) => Effect.Effect<bigint, ChainUnavailable>
  /**
   * The same two reads for accepting a swap: at one block, which is returned with the amount and is not older than
   * `since`. Fails with `behind` if no node has that block yet.
   */
  readonly balanceAt: (token: string, owner: string, since: bigint) => Effect.Effect<Holding, ChainUnavailable>
  readonly inventoryAt: (token: string, since: bigint) => Effect.Effect<Holding, ChainUnavailable>
  /** Returns the largest input of a wallet that the relayer can refund. */
  readonly largestInput: (token: string, wallet: string) => Effect.Effect<bigint, ChainUnavailable>
  /** Returns the cost of a transaction, in smallest units of the native token. */
  readonly costOf: (query: CostQuery) => Effect.Effect<bigint, ChainUnavailable>

  /** Simulates a job. */
  readonly prepare: (job: Job) => Effect.Effect<Draft, ChainUnavailable | Impossible>
  /** Signs a draft. EVM chains need the nonce. */
  readonly sign: (draft: Draft, nonce: number | undefined) => Effect.Effect<Attempt, ChainUnavailable>
  /** Sends an attempt to the chain. The node's answer is only logged: `observe` decides. */
  readonly broadcast: (attempt: Attempt) => Effect.Effect<void, ChainUnavailable>
  /** Reads the state of all attempts of a job, oldest first. `Done` and `Dead` need a quorum of nodes. */
  readonly observe: (job: Job, attempts: ReadonlyArray<Attempt>) => Effect.Effect<Outcome, ChainUnavailable>
  /**
   * Returns an attempt that replaces the pending ones. Store it before you broadcast it. Raises the fee by at least 12.5%
   * if the last attempt is stuck, or only uses up the nonce if `cancel` is set and no attempt cancels yet. Returns
   * `undefined` if there is nothing to do, and always on Solana.
   */
  readonly replace: (
    job: Job,
    attempts: ReadonlyArray<Attempt>,
    cancel: boolean
  ) => Effect.Effect<Attempt | undefined, ChainUnavailable>
  /** Checks whether another transaction did the job: the vault's owner's, or one of a lost database. */
  readonly externalSettlement: (job: SendJob) => Effect.Effect<ExternalSettlement, ChainUnavailable>
  /**
   * Returns whether this delivery succeeds for a control address and fails for the recipient, in the same block of each
   * node of a quorum. If unclear, returns `false`.
   */
  readonly recipientAtFault: (job: SendJob) => Effect.Effect<boolean, ChainUnavailable>
  /** How many nodes agree now. Never fails. */
  readonly agreement: Effect.Effect<Agreement>
}

export interface EvmChain extends AnyChain {
  readonly family: "evm"
  /** The contract that wallets delegate to. */
  readonly delegate: string
  /** The delegate contracts of all vaults, the first vault's first. */
  readonly delegates: ReadonlyArray<string>
  /** The vault that stored attempts of a job were signed for. Later attempts use the same vault. */
  readonly vaultOf: (attempts: ReadonlyArray<Attempt>) => string | undefined
  readonly walletState: (wallet: string) => Effect.Effect<WalletState, ChainUnavailable>
  /** The gas of a delivery. Code of the recipient or the token can raise it far above the usual amount. */
  readonly deliveryGas: (
    delivery: Pick<SendJob, "token" | "to" | "amount">
  ) => Effect.Effect<DeliveryGas, ChainUnavailable>
  /** Checks whether an operation was paid, or never can be. */
  readonly collection: (job: CollectJob) => Effect.Effect<Collection, ChainUnavailable>
  /** Returns what this transaction paid for an order. */
  readonly paymentIn: (orderId: string, hash: string) => Effect.Effect<Payment, ChainUnavailable>
  /**
   * Reads 256 bits of the wallet's bitmap of used nonces, to choose a free one: bit `i` is nonce `256 * word + i`. This is
   * a hint of one node at its newest block, not evidence that an operation was paid. For that, use `collection`.
   */
  readonly usedNonces: (wallet: string, word: bigint) => Effect.Effect<bigint, ChainUnavailable>
  /** The relayer's nonce at the newest block that is final for a quorum. */
  readonly relayerNonce: Effect.Effect<number, ChainUnavailable>
  /** The time of the newest block that is final for a quorum, in Unix seconds. */
  readonly finalTime: Effect.Effect<number, ChainUnavailable>
}

export interface SolanaChain extends AnyChain {
  readonly family: "solana"
  /** Whether an owner has no account for a token yet. Opening one costs rent. */
  readonly lacksAccount: (token: string, owner: string) => Effect.Effect<boolean, ChainUnavailable>
  /** Builds the transaction of a swap for the wallet to sign. */
  readonly buildCollect: (input: {
    readonly wallet: string
    readonly token: string
    readonly amount: bigint
    /** `geoswap:<orderId>:<terms>` */
    readonly memo: string
  }) => Effect.Effect<UnsignedTransaction, ChainUnavailable>
}

export type Chain = EvmChain | SolanaChain

/** The chain differs from its configuration. Lists all problems. */
export class Misconfigured extends Schema.TaggedError<Misconfigured>()("Misconfigured", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return this.problems.join("\n")
  }
}

/** The chains of the service, by id. */
export class Chains extends Context.Service<Chains, ReadonlyMap<number, Chain>>()("@geoswap/service/Chains") {}
