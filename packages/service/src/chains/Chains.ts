/**
 * The chain port: reads for quoting, building and submitting swaps, and functions that send and observe transactions.
 */
import type { Chain as CoreChain, Delegation, Payment as CorePayment } from "@geoswap/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Config from "../config/Config.js"
import type { TransactionCost } from "../store/SpentGas.js"
import type { Attempt, EvmOperation, SolanaOperation } from "../store/SwapRecord.js"

/** The node did not respond, or its response was invalid. The chain's state is unknown. Try again later. */
export class ChainUnavailable extends Schema.TaggedError<ChainUnavailable>()("ChainUnavailable", {
  chainId: Schema.Int,
  message: Schema.String,
  /** Whether the request timed out. */
  timeout: Schema.Boolean,
  /** Whether the node does not have the requested block yet. The node may catch up within seconds. */
  behind: Schema.optionalKey(Schema.Boolean)
}) {}

/** The simulation shows that a transaction would fail. */
export class Impossible extends Schema.TaggedError<Impossible>()("Impossible", {
  chainId: Schema.Int,
  /** The code, which becomes the swap's `failureCode`. */
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
  message: Schema.String,
  /** Whether the token is paused, which is not the wallet's fault. */
  tokenPaused: Schema.optionalKey(Schema.Boolean),
  /** Whether the wallet's code, or the token that asked it, rejected the signature. */
  signatureRefused: Schema.optionalKey(Schema.Boolean)
}) {}

/** All nodes refuse a transaction because of other transactions of the wallet whose authorization it has. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  chainId: Schema.Int,
  message: Schema.String
}) {}

/** What a transaction must do. A job is derived from the swap. */
export type Job = CollectJob | SendJob

/** Collects the input, as authorized by the wallet's signature. */
export interface CollectJob {
  readonly kind: "collect"
  readonly orderId: string
  readonly wallet: string
  readonly token: string
  readonly amount: bigint
  readonly terms: string
  readonly operation: EvmOperation | SolanaOperation
  /** EVM: the vault that the wallet pays (default: the vault that the operation's delegate pays). */
  readonly vault?: string
}

/** Delivers the output or refunds the input. Each order is paid only once. */
export interface SendJob {
  readonly kind: "deliver" | "refund"
  readonly orderId: string
  readonly token: string
  readonly to: string
  readonly amount: bigint
  /**
   * Solana: whether the caller paid for the recipient's token account. If not, no account is opened. This prevents a
   * recipient from closing the account during each swap and keeping the rent that was paid for the new account.
   */
  readonly opensAccount: boolean
  /**
   * EVM: the vault that pays (default: the vault that earlier attempts use). If there are no earlier attempts, a
   * delivery uses the first vault that can pay for it, and a refund uses the first vault.
   */
  readonly vault?: string
}

/** Relayers, in order of preference. */
export type Relayers = readonly [string, ...ReadonlyArray<string>]

/** The most that relayers may pay for their pending transactions, in the native token's smallest unit. */
export interface PendingCosts {
  readonly of: (relayer: string) => bigint
  /**
   * Adds the cost of a transaction, for which the relayer was chosen because `balance` covers it and what was pending.
   * Returns at once, so that no other transaction is added between the comparison and this call.
   */
  readonly add: (relayer: string, cost: bigint, balance: bigint) => void
}

/** Nothing is pending, and nothing is added. */
export const nothingPending: PendingCosts = { of: () => 0n, add: () => {} }

/** A transaction that has been simulated but not signed. */
export interface Draft {
  readonly job: Job
  /** The relayer for which the transaction was simulated. `combine` can choose another one. */
  readonly relayer: string
  /** The data that `sign` needs. Its contents depend on the chain family and are opaque to other code. */
  readonly plan: unknown
  /** EVM: the gas that the transaction would use now. */
  readonly gas?: bigint
  /**
   * The key of a job that can share a transaction with jobs that have the same key. If it is missing, the job must
   * have a separate transaction.
   */
  readonly shares?: string
}

/** One transaction for the first `count` of several drafts. */
export interface CombinedDraft extends Pick<Draft, "relayer" | "plan"> {
  readonly count: number
}

/** EVM: what the job's attempts that are in final blocks cost, as far as a node reports it. */
type Costs = ReadonlyArray<TransactionCost>

/** The state of a job's attempts on the chain. */
export type Outcome =
  /** No attempt is included in a block yet, but one can still be included. */
  | { readonly _tag: "Waiting" }
  /**
   * The transaction `hash` is included in `block`, which can still be reorged out. `succeeded`: whether the transaction
   * completed the job. `gas`: on EVM chains, what the transaction used.
   */
  | {
      readonly _tag: "Included"
      readonly hash: string
      readonly succeeded: boolean
      readonly block: bigint
      readonly gas?: bigint
    }
  /**
   * Final: the job was completed in `block`. Balances reflect the job from that block on. `amount`: what was paid, if it
   * is more than the job's amount. This can happen only if a transaction that is not one of our attempts refunds.
   */
  | {
      readonly _tag: "Done"
      readonly hash: string
      readonly block: bigint
      readonly amount?: bigint
      readonly costs?: Costs
    }
  /**
   * Final: no attempt has completed the job, and none of them can complete it anymore. `reverted`: an attempt was
   * included but failed. `replaced`: another transaction used the nonce. `expired`: the blockhash expired. `left out`: a
   * batch was included without the job, or failed as a whole, which proves nothing about the job.
   */
  | {
      readonly _tag: "Dead"
      readonly why: "reverted" | "replaced" | "expired" | "left out"
      readonly hash?: string
      readonly message: string
      /** EVM: the gas that the failed attempt or the batch used, and the time of its block in Unix seconds. */
      readonly gas?: bigint
      readonly time?: number
      readonly costs?: Costs
    }

/** Whether an order was settled by a transaction that is not one of our attempts. */
export type ExternalSettlement =
  /**
   * According to a quorum of nodes, the order is unused at the latest block: no vault has paid it. On Solana, this is
   * always the result, because the chain does not record orders.
   */
  | { readonly _tag: "Unused" }
  /**
   * Final according to a quorum of nodes: the transaction `hash`, in `block`, completed exactly this job. `amount`: what
   * was refunded, if it is more than the job's amount.
   */
  | { readonly _tag: "Done"; readonly hash: string; readonly block: bigint; readonly amount?: bigint }
  /**
   * At least one node reports that the order has been paid, but it is not proven what was paid. Acting now could result
   * in a double payment.
   */
  | { readonly _tag: "Unclear"; readonly message: string }

/**
 * Whether an operation's input was collected, according to a quorum of nodes. Only the vault's events are accepted as
 * proof.
 */
export type Collection =
  /** Final: the transaction contains the vault's `Collected` event for this order, wallet, token, amount and terms. */
  | { readonly _tag: "Collected"; readonly hash: string; readonly block: bigint }
  /**
   * Final: the latest finalized block is past the operation's deadline, and neither that block nor any earlier block
   * contains the event. The operation's input can never be collected. `nodes` are the hosts that report this.
   */
  | { readonly _tag: "Never"; readonly block: bigint; readonly time: number; readonly nodes: ReadonlyArray<string> }
  /** It is not yet proven whether the input was collected. */
  | { readonly _tag: "Open"; readonly message: string }

/**
 * What one transaction paid for an order, according to a quorum of nodes. Only the vaults' events are accepted as
 * proof.
 */
export type Payment =
  /** Final: a vault paid `amount` of `token` to the address `to`. `nodes` are the hosts that report the payment. */
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

/** How many of a chain's nodes respond and agree. If fewer than `quorum` agree, no terminal outcome is accepted. */
export interface Agreement {
  /** The number of configured nodes. */
  readonly nodes: number
  readonly agreeing: number
  readonly quorum: number
}

/** An amount, and the block (EVM) or slot (Solana) at which it was read. */
export interface Holding {
  readonly amount: bigint
  readonly block: bigint
}

/** An EVM wallet's delegation. */
export interface WalletDelegation {
  readonly delegation: "none" | "ours" | "foreign"
  readonly delegatedTo?: `0x${string}`
  /** The vault that the wallet pays, if the wallet is delegated to one of our contracts. */
  readonly vault?: string
}

/** An EVM wallet's delegation and account nonce. */
export interface WalletState extends WalletDelegation {
  readonly nonce: number
}

/** An account contract of ours, and the vault that it pays. */
export interface Account {
  readonly delegate: string
  readonly vault: string
  readonly version: 1 | 2
}

/** What an account of ours can sign. */
export interface AccountForm {
  readonly version: 1 | 2
  /** Whether the vault collects operations that were signed as typed data. */
  readonly isTyped: boolean
}

/** A payment method other than `delegation`. */
export type PaymentMethod = (typeof CorePayment.methods)[number]

/** Whether a wallet that delegates to another provider's contract can pay with a method. */
export type CodeAnswer =
  /** The method works. `asks`: whether the wallet's code decides whether a signature is valid. */
  { readonly _tag: "Works"; readonly asks: boolean } | { readonly _tag: "Impossible"; readonly message: string }

/** Payments without a delegation. They pay the first vault. */
export interface Payments {
  /** The budgets and limits. */
  readonly limits: Pick<Config.ChainPayments, "inFlightPerTarget" | "strikesPerTarget">
  /** Returns the methods that the operator lists for a token, in the service's order of preference. */
  readonly methodsOf: (token: string) => ReadonlyArray<PaymentMethod>
  /** Returns the name and the version in a token's EIP-712 domain, if they are configured. */
  readonly domainOf: (token: string) => { readonly name: string; readonly version: string } | undefined
  /** Returns how much of a token Permit2 may spend for a wallet. */
  readonly allowanceOf: (token: string, wallet: string) => Effect.Effect<bigint, ChainUnavailable>
  /** Like `allowanceOf`, but for accepting a swap: reads at a single block that is not older than `since`. */
  readonly allowanceAt: (token: string, wallet: string, since: bigint) => Effect.Effect<Holding, ChainUnavailable>
  /** Returns a wallet's next nonce in a token's permits. */
  readonly permitNonceOf: (token: string, wallet: string) => Effect.Effect<bigint, ChainUnavailable>
  /** Reads 256 bits of Permit2's bitmap for our nonces: bit `i` represents index `256 * word + i`. A hint, like `usedNonces`. */
  readonly usedIndices: (wallet: string, word: bigint) => Effect.Effect<bigint, ChainUnavailable>
  /** Finds out by simulation whether wallets that delegate to a contract of another provider can pay. */
  readonly askCode: (
    token: string,
    method: PaymentMethod,
    target: string
  ) => Effect.Effect<CodeAnswer, ChainUnavailable>
}

/** A query for a transaction's network cost. */
export interface CostQuery {
  readonly kind: "collect" | "deliver"
  readonly token: string
  /**
   * The payer of a collection or the recipient of a delivery. If omitted, the cost is the one for a payer that is
   * already delegated, or for a recipient without code that already holds the token.
   */
  readonly party?: string
  /** Solana: whether a delivery pays for the recipient's token account. */
  readonly opensAccount: boolean
  /** EVM: the transaction's gas, if it is already known. */
  readonly gas?: bigint
}

/** A query for the most that a transaction may cost the relayer. */
export interface MostCostQuery extends Omit<CostQuery, "kind"> {
  readonly kind: "collect" | "deliver" | "refund"
  /**
   * EVM: whether a collection carries an authorization (default: whether the party is not delegated yet). The gas of a
   * payment without a delegation varies, so such a query requires the `gas` of its simulation.
   */
  readonly authorizes?: boolean
}

/** The gas for a delivery on an EVM chain. */
export interface DeliveryGas {
  /** The gas that a quote charges for: the amount that the delivery needs now, but at least the usual amount. */
  readonly charged: bigint
  /** The gas that the delivery would use now, or 0 if it would revert. */
  readonly needed: bigint
}

/** A Solana transaction for the wallet to sign. */
export interface UnsignedTransaction {
  /** The wire transaction in base64, without signatures. */
  readonly transaction: string
  readonly lastValidBlockHeight: bigint
}

interface AnyChain {
  readonly id: number
  readonly name: string
  readonly tokens: ReadonlyArray<CoreChain.Token>
  /** The first vault, which receives inputs from new wallets and pays out deliveries. */
  readonly vault: string
  /** All vaults in use, starting with `vault`. */
  readonly vaults: ReadonlyArray<string>
  /** The first of `relayers`, which simulations use. */
  readonly relayer: string
  /** The addresses that send and pay for our transactions. On EVM chains, each has a separate sequence of nonces. */
  readonly relayers: Relayers
  /** The interval at which a pending transaction is polled. */
  readonly pollMillis: number
  /** The maximum number of jobs in one transaction. If it is 1, each job has a separate transaction. */
  readonly maxBatch: number

  /** Fails if a node is on a different chain, or if contracts or roles differ from the configuration. */
  readonly verify: Effect.Effect<void, ChainUnavailable | Misconfigured>
  /** Returns an owner's balance of a token or the native token. */
  readonly balanceOf: (token: string, owner: string) => Effect.Effect<bigint, ChainUnavailable>
  /** Returns how much of a token can be sent at once: the first vault's balance, up to its hourly cap. */
  readonly inventoryOf: (token: string) => Effect.Effect<bigint, ChainUnavailable>
  /**
   * Like `balanceOf`, but for accepting a swap: reads at a single block that is not older than `since`, and returns that
   * block with the amount. Fails with `behind` if no node has reached `since` yet. The following functions do the same.
   */
  readonly balanceAt: (token: string, owner: string, since: bigint) => Effect.Effect<Holding, ChainUnavailable>
  /** What the first vault holds of a token. */
  readonly heldAt: (token: string, since: bigint) => Effect.Effect<Holding, ChainUnavailable>
  /** What the relayers may deliver of a token from the first vault in this hour. */
  readonly deliverableAt: (token: string, since: bigint) => Effect.Effect<Holding, ChainUnavailable>
  /** What the relayers may refund of a token from a vault in this hour, no matter how much was collected. */
  readonly refundableAt: (token: string, since: bigint, vault: string) => Effect.Effect<Holding, ChainUnavailable>
  /** Returns the largest input that the relayer could refund to a wallet (default: a wallet that pays the first vault). */
  readonly largestInput: (token: string, wallet?: string) => Effect.Effect<bigint, ChainUnavailable>
  /** The latest block (EVM) or slot (Solana), according to one node. */
  readonly height: Effect.Effect<bigint, ChainUnavailable>
  /** Returns the cost of a transaction, in the native token's smallest unit. */
  readonly costOf: (query: CostQuery) => Effect.Effect<bigint, ChainUnavailable>
  /**
   * Returns the most that a transaction may cost the relayer at the fees that are offered now, in the native token's
   * smallest unit: on EVM chains the whole gas limit at the highest fee, on Solana the fees and the rent that it may pay.
   * Reads the chain only for the fees, once per block, if it is about a refund, if `gas` is known, or if it is about a
   * collection and `authorizes` is known.
   */
  readonly mostCostOf: (query: MostCostQuery) => Effect.Effect<bigint, ChainUnavailable>
  /**
   * Returns how much of the native token relayers can spend together (default: all relayers). Like `balanceAt`, it reads
   * at a single block that is not older than `since`, and once per block.
   */
  readonly fundsAt: (since: bigint, relayers?: Relayers) => Effect.Effect<Holding, ChainUnavailable>

  /**
   * Waits until pending transactions should be observed again, but not longer than `atMost` milliseconds: on EVM chains,
   * until the next block.
   */
  readonly nextLook: (atMost: number) => Effect.Effect<void>
  /**
   * Simulates a job. The draft names the first of the given relayers that can pay for the transaction in addition to its
   * pending ones (default: any relayer, and nothing is pending). Fails if none of them can.
   */
  readonly prepare: (
    job: Job,
    relayers?: Relayers,
    pending?: PendingCosts
  ) => Effect.Effect<Draft, ChainUnavailable | Impossible>
  /**
   * Chooses the relayer that signs, and combines drafts with the same `shares`: as many of the first ones as one
   * transaction can do and a relayer can pay for in addition to its pending transactions. The first of the given relayers
   * that can pay must sign, and the cost is added to what it has pending. On EVM chains, the vault does each job
   * separately. On Solana, the transaction does all jobs or none.
   */
  readonly combine: (
    drafts: readonly [Draft, ...ReadonlyArray<Draft>],
    relayers: Relayers,
    pending?: PendingCosts
  ) => Effect.Effect<CombinedDraft, ChainUnavailable>
  /** Signs a draft. EVM chains require a nonce. */
  readonly sign: (
    draft: Pick<Draft, "relayer" | "plan">,
    nonce: number | undefined
  ) => Effect.Effect<Attempt, ChainUnavailable>
  /** Whether an attempt is a batch. */
  readonly isBatch: (attempt: Attempt) => boolean
  /** Returns the relayer that signed an attempt. Fails if it is not one of `relayers`. */
  readonly signerOf: (attempt: Attempt) => Effect.Effect<string, ChainUnavailable>
  /** Sends an attempt to the chain. The nodes' responses are only hints, because `observe` determines the outcome. */
  readonly broadcast: (attempt: Attempt) => Effect.Effect<void, ChainUnavailable | Refused>
  /**
   * Reads the state of a job's attempts, which are passed oldest first. `Done` and `Dead` require a quorum of nodes.
   */
  readonly observe: (job: Job, attempts: ReadonlyArray<Attempt>) => Effect.Effect<Outcome, ChainUnavailable>
  /**
   * Returns an attempt that replaces the pending attempts. Store it before broadcasting it. If the last attempt is
   * stuck, the replacement raises the fee by at least 12.5%. If `cancel` is set and no attempt cancels the job yet, the
   * replacement only uses up the nonce. Returns `undefined` if there is nothing to do. On Solana, always returns
   * `undefined`.
   */
  readonly replace: (
    job: Job,
    attempts: ReadonlyArray<Attempt>,
    cancel: boolean
  ) => Effect.Effect<Attempt | undefined, ChainUnavailable>
  /**
   * Checks whether the job was done by a transaction that is not one of our stored attempts, such as a transaction from
   * the vault's owner, or one that was recorded only in a database that has been lost.
   */
  readonly externalSettlement: (job: SendJob) => Effect.Effect<ExternalSettlement, ChainUnavailable>
  /**
   * Returns whether this delivery would succeed for a control address but fail for the recipient. A quorum of nodes
   * must report this, and each of these nodes must have simulated both deliveries in the same block. Returns `false` if
   * the result is unclear. `reverted` is a delivery that reverted in a final block although its simulation succeeded. The
   * recipient's code has then noticed the simulation, so only the delivery to the control address is simulated, with the
   * same gas limit and with fees.
   */
  readonly recipientAtFault: (job: SendJob, reverted?: Attempt) => Effect.Effect<boolean, ChainUnavailable>
  /** How many nodes currently respond and agree. Never fails. */
  readonly agreement: Effect.Effect<Agreement>
}

/** A transaction that carries a wallet's authorization and does nothing else, before it is signed. */
export interface DelegationDraft {
  /** The relayer that must sign the transaction. */
  readonly relayer: string
  /** The transaction's gas limit. */
  readonly gas: bigint
  /** The data that `sign` needs. */
  readonly plan: unknown
}

/** The state of an authorization on the chain, and of the transactions that carry it. */
export type DelegationResult =
  /** One of the transactions can still be included, or its block is not final yet. */
  | { readonly _tag: "Waiting" }
  /** Final: the wallet's code is what the authorization asks for. `hash`: our transaction that was included. */
  | { readonly _tag: "Applied"; readonly hash?: string }
  /** Final: the account has used the authorization's nonce, and its code is not what the authorization asks for. */
  | { readonly _tag: "Stale" }
  /** Final: the account has not used the authorization's nonce, and none of the transactions can still be included. */
  | { readonly _tag: "Unused" }

/** Transactions that change a wallet's delegation without a swap. */
export interface DelegationTransactions {
  /**
   * Estimates the gas and fees. The first of the given relayers that can pay for the transaction in addition to its
   * pending ones must sign it (default: any relayer, and nothing is pending), and the cost is added to what it has
   * pending. Fails if none of them can.
   */
  readonly prepare: (
    authorization: Delegation.Authorization,
    relayers?: Relayers,
    pending?: PendingCosts
  ) => Effect.Effect<DelegationDraft, ChainUnavailable>
  readonly sign: (draft: DelegationDraft, nonce: number) => Effect.Effect<Attempt, ChainUnavailable>
  /** Reads the outcome of all attempts. A final outcome requires a quorum of nodes. */
  readonly observe: (
    wallet: string,
    authorization: Delegation.Authorization,
    attempts: ReadonlyArray<Attempt>
  ) => Effect.Effect<DelegationResult, ChainUnavailable>
  /** Returns an attempt that replaces a stuck or lost attempt, like `replace` for swaps. */
  readonly replace: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<Attempt | undefined, ChainUnavailable>
}

export interface EvmChain extends AnyChain {
  readonly family: "evm"
  /** How long a transaction can be pending before it is considered stuck. */
  readonly stuckAfterMillis: number
  /** The contract that wallets delegate to. */
  readonly delegate: string
  /** The limits of the gas of collections in flight. */
  readonly exposure: Config.Exposure
  /** The limits of what collections may lose. */
  readonly losses: Config.Losses
  /** Returns the gas of an operation's collection, which counts toward these limits. */
  readonly exposureOf: (operation: EvmOperation) => bigint
  /** The configured account contracts of all vaults. The first one is `delegate`. */
  readonly accounts: ReadonlyArray<Account>
  /** Returns the version of an account contract of ours, and whether its vault collects typed data. */
  readonly accountForm: (delegate: string, vault: string) => Effect.Effect<AccountForm, ChainUnavailable>
  /** Payments without a delegation. */
  readonly payments: Payments
  /** The latest block, if a node returned it less than a poll interval ago. Sends no requests. */
  readonly knownHeight: () => bigint | undefined
  /** Returns the vault that a job's stored attempts were signed for. Later attempts use the same vault. */
  readonly vaultOf: (attempts: ReadonlyArray<Attempt>) => string | undefined
  /** Returns a wallet's delegation at the latest known block, which is at most a poll interval old. */
  readonly delegationOf: (wallet: string) => Effect.Effect<WalletDelegation, ChainUnavailable>
  readonly walletState: (wallet: string) => Effect.Effect<WalletState, ChainUnavailable>
  /** Transactions that change a wallet's delegation without a swap. */
  readonly delegations: DelegationTransactions
  /**
   * Returns the gas for a delivery (default recipient: one without code that already holds the token). The recipient's
   * or the token's code can raise the gas far above the usual amount.
   */
  readonly deliveryGas: (
    delivery: Pick<SendJob, "token" | "amount"> & Partial<Pick<SendJob, "to">>
  ) => Effect.Effect<DeliveryGas, ChainUnavailable>
  /**
   * Returns why a collection fails after a block, or `undefined` if it does not. According to a quorum of nodes. It proves
   * nothing about later blocks.
   */
  readonly failureAt: (job: CollectJob, block: bigint) => Effect.Effect<Impossible | undefined, ChainUnavailable>
  /** Checks whether an operation's input was collected or can never be collected. */
  readonly collection: (job: CollectJob) => Effect.Effect<Collection, ChainUnavailable>
  /** Returns what the transaction `hash` paid for an order. */
  readonly paymentIn: (orderId: string, hash: string) => Effect.Effect<Payment, ChainUnavailable>
  /**
   * Reads 256 bits of the wallet's bitmap of used nonces, for choosing a free nonce: bit `i` represents nonce `256 *
   * word + i`. This is a hint from one node at its latest block, not proof that an operation's input was collected. For
   * proof, use `collection`.
   */
  readonly usedNonces: (wallet: string, word: bigint) => Effect.Effect<bigint, ChainUnavailable>
  /** Returns a relayer's nonce at the latest block that a quorum considers final. */
  readonly relayerNonce: (relayer: string) => Effect.Effect<number, ChainUnavailable>
  /** The time of the latest block that a quorum considers final, in Unix seconds. */
  readonly finalTime: Effect.Effect<number, ChainUnavailable>
  /** Whether `finalTime` is after a time. Reads it only if the latest block is after that time. */
  readonly isPast: (time: number) => Effect.Effect<boolean, ChainUnavailable>
}

export interface SolanaChain extends AnyChain {
  readonly family: "solana"
  /** Returns `true` if the owner does not have an account for the token yet. Opening an account costs rent. */
  readonly lacksAccount: (token: string, owner: string) => Effect.Effect<boolean, ChainUnavailable>
  /** Builds a swap's transaction for the wallet to sign. */
  readonly buildCollect: (input: {
    readonly wallet: string
    readonly token: string
    readonly amount: bigint
    /** The memo: `geoswap:<orderId>:<terms>`. */
    readonly memo: string
  }) => Effect.Effect<UnsignedTransaction, ChainUnavailable>
}

export type Chain = EvmChain | SolanaChain

/** The chain differs from its configuration. The message lists all problems. */
export class Misconfigured extends Schema.TaggedError<Misconfigured>()("Misconfigured", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return this.problems.join("\n")
  }
}

/** The service's chains, by id. */
export class Chains extends Context.Service<Chains, ReadonlyMap<number, Chain>>()("@geoswap/service/Chains") {}
