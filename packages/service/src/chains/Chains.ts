/**
 * The chain port: reads for quoting, building and submitting swaps, and functions that send and observe transactions.
 */
import type { Chain as CoreChain, Delegation } from "@geoswap/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Config from "../config/Config.js"
import type { Holding } from "../domain/Claim.js"
import type { CollectJob, Job, SendJob } from "../domain/Job.js"
import type { Attempt, EvmOperation } from "../domain/SwapRecord.js"
import type { ChainUnavailable, Impossible, Misconfigured, Refused } from "./ChainError.js"
import type {
  CombinedDraft,
  CostQuery,
  DelegationDraft,
  DeliveryGas,
  Draft,
  MostCostQuery,
  PendingCosts,
  Relayers,
  UnsignedTransaction
} from "./Draft.js"
import type { Agreement, Collection, DelegationResult, ExternalSettlement, Outcome, Payment } from "./Outcome.js"
import type { Account, Payments, WalletDelegation, WalletState } from "./Wallet.js"

/** A read or a change of a chain, which fails if its nodes do not respond or do not agree. */
type OnChain<A, E = never> = Effect.Effect<A, ChainUnavailable | E>

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
  /** Whether transactions of all values are final at the same depth. */
  readonly hasOneFinality: boolean
  /** The interval at which a pending transaction is polled. */
  readonly pollMillis: number
  /** The maximum number of jobs in one transaction. If it is 1, each job has a separate transaction. */
  readonly maxBatch: number

  /** Fails if a node is on a different chain, or if contracts or roles differ from the configuration. */
  readonly verify: OnChain<void, Misconfigured>
  /** Inspects what the operator can change while servers run: caps, inventories, and the history of each node. */
  readonly inspect: OnChain<Inspection>
  /** Returns an owner's balance of a token or the native token. */
  readonly balanceOf: (token: string, owner: string) => OnChain<bigint>
  /** Returns how much of a token can be sent at once: the first vault's balance, up to its hourly cap. */
  readonly inventoryOf: (token: string) => OnChain<bigint>
  /**
   * Like `balanceOf`, but for accepting a swap: reads at a single block that is not older than `since`, and returns that
   * block with the amount. Fails with `behind` if no node has reached `since` yet. The following functions do the same.
   */
  readonly balanceAt: (token: string, owner: string, since: bigint) => OnChain<Holding>
  /** What the first vault holds of a token. */
  readonly heldAt: (token: string, since: bigint) => OnChain<Holding>
  /** What the relayers may deliver of a token from the first vault in this hour. */
  readonly deliverableAt: (token: string, since: bigint) => OnChain<Holding>
  /** What the relayers may refund of a token from a vault in this hour, no matter how much was collected. */
  readonly refundableAt: (token: string, since: bigint, vault: string) => OnChain<Holding>
  /** Returns the largest input that the relayer could refund to a wallet (default: a wallet that pays the first vault). */
  readonly largestInput: (token: string, wallet?: string) => OnChain<bigint>
  /** The latest block (EVM) or slot (Solana), according to one node. */
  readonly height: OnChain<bigint>
  /** Returns the cost of a transaction, in the native token's smallest unit. */
  readonly costOf: (query: CostQuery) => OnChain<bigint>
  /**
   * Returns the most that a transaction may cost the relayer at the fees that are offered now, in the native token's
   * smallest unit: on EVM chains the whole gas limit at the highest fee, on Solana the fees at the configured cap and the
   * rent that it may pay.
   * Reads the chain only for the fees, once per block, if it is about a refund, if `gas` is known, or if it is about a
   * collection and `authorizes` is known.
   */
  readonly mostCostOf: (query: MostCostQuery) => OnChain<bigint>
  /**
   * Returns how much of the native token relayers can spend together (default: all relayers). Like `balanceAt`, it reads
   * at a single block that is not older than `since`, and once per block.
   */
  readonly fundsAt: (since: bigint, relayers?: Relayers) => OnChain<Holding>

  /**
   * Waits until pending transactions should be observed again, but not longer than `atMost` milliseconds: on EVM chains,
   * until the next block.
   */
  readonly nextLook: (atMost: number) => Effect.Effect<void>
  /**
   * Simulates a job. The draft names the first of the given relayers that can pay for the transaction in addition to its
   * pending ones (default: any relayer, and nothing is pending). Fails if none of them can.
   */
  readonly prepare: (job: Job, relayers?: Relayers, pending?: PendingCosts) => OnChain<Draft, Impossible>
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
  ) => OnChain<CombinedDraft>
  /** Signs a draft. EVM chains require a nonce. */
  readonly sign: (draft: Pick<Draft, "relayer" | "plan">, nonce: number | undefined) => OnChain<Attempt>
  /** Whether an attempt is a batch. */
  readonly isBatch: (attempt: Attempt) => boolean
  /** Returns the relayer that signed an attempt. Fails if it is not one of `relayers`. */
  readonly signerOf: (attempt: Attempt) => OnChain<string>
  /** Sends an attempt to the chain. The nodes' responses are only hints, because `observe` determines the outcome. */
  readonly broadcast: (attempt: Attempt) => OnChain<void, Refused>
  /**
   * Reads the state of a job's attempts, which are passed oldest first. `Done` and `Dead` require a quorum of nodes.
   */
  readonly observe: (job: Job, attempts: ReadonlyArray<Attempt>) => OnChain<Outcome>
  /**
   * Returns an attempt that replaces the pending attempts. Store it before broadcasting it. If the last attempt is
   * stuck, the replacement raises the fee by at least 12.5%. If `cancel` is set and no attempt cancels the job yet, the
   * replacement only uses up the nonce. Returns `undefined` if there is nothing to do. On Solana, always returns
   * `undefined`.
   */
  readonly replace: (job: Job, attempts: ReadonlyArray<Attempt>, cancel: boolean) => OnChain<Attempt | undefined>
  /**
   * Checks whether the job was done by a transaction that is not one of our stored attempts, such as a transaction from
   * the vault's owner, or one that was recorded only in a database that has been lost.
   */
  readonly externalSettlement: (job: SendJob) => OnChain<ExternalSettlement>
  /**
   * Returns whether this delivery would succeed for a control address but fail for the recipient. A quorum of nodes
   * must report this, and each of these nodes must have simulated both deliveries in the same block. Returns `false` if
   * the result is unclear. `reverted` is a delivery that reverted in a final block although its simulation succeeded. The
   * recipient's code has then noticed the simulation, so only the delivery to the control address is simulated, with the
   * same gas limit and with fees.
   */
  readonly recipientAtFault: (job: SendJob, reverted?: Attempt) => OnChain<boolean>
  /** How many nodes currently respond and agree. Never fails. */
  readonly agreement: Effect.Effect<Agreement>
}

/** What an operator should change. */
export interface Inspection {
  /** What prevents swaps. */
  readonly problems: ReadonlyArray<string>
  /** What may delay swaps or limit their size. */
  readonly warnings: ReadonlyArray<string>
}

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
  ) => OnChain<DelegationDraft>
  readonly sign: (draft: DelegationDraft, nonce: number) => OnChain<Attempt>
  /** Reads the outcome of all attempts. A final outcome requires a quorum of nodes. */
  readonly observe: (
    wallet: string,
    authorization: Delegation.Authorization,
    attempts: ReadonlyArray<Attempt>
  ) => OnChain<DelegationResult>
  /** Returns an attempt that replaces a stuck or lost attempt, like `replace` for swaps. */
  readonly replace: (attempts: ReadonlyArray<Attempt>) => OnChain<Attempt | undefined>
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
  /** Payments without a delegation. */
  readonly payments: Payments
  /** The latest block, if a node returned it less than a poll interval ago. Sends no requests. */
  readonly knownHeight: () => bigint | undefined
  /** Returns the vault that a job's stored attempts were signed for. Later attempts use the same vault. */
  readonly vaultOf: (attempts: ReadonlyArray<Attempt>) => string | undefined
  /** Returns a wallet's delegation at the latest known block, which is at most a poll interval old. */
  readonly delegationOf: (wallet: string) => OnChain<WalletDelegation>
  readonly walletState: (wallet: string) => OnChain<WalletState>
  /** Transactions that change a wallet's delegation without a swap. */
  readonly delegations: DelegationTransactions
  /**
   * Returns the gas for a delivery (default recipient: one without code that already holds the token). The recipient's
   * or the token's code can raise the gas far above the usual amount. `orderId` is an unpaid order's (default: one that
   * shares no storage slot with paid orders).
   */
  readonly deliveryGas: (
    delivery: Pick<SendJob, "token" | "amount"> & Partial<Pick<SendJob, "orderId" | "to">>
  ) => OnChain<DeliveryGas>
  /**
   * Returns why a collection fails after a block, or `undefined` if it does not. According to a quorum of nodes. It proves
   * nothing about later blocks.
   */
  readonly failureAt: (job: CollectJob, block: bigint) => OnChain<Impossible | undefined>
  /** Checks whether an operation's input was collected or can never be collected. */
  readonly collection: (job: CollectJob) => OnChain<Collection>
  /** Returns what the transaction `hash` paid for an order. */
  readonly paymentIn: (orderId: string, hash: string) => OnChain<Payment>
  /**
   * Reads 256 bits of the wallet's bitmap of used nonces, for choosing a free nonce: bit `i` represents nonce `256 *
   * word + i`. This is a hint from one node at its latest block, not proof that an operation's input was collected. For
   * proof, use `collection`.
   */
  readonly usedNonces: (wallet: string, word: bigint) => OnChain<bigint>
  /** Returns a relayer's nonce at the latest block that a quorum considers final. */
  readonly relayerNonce: (relayer: string) => OnChain<number>
  /** The time of the latest block that a quorum considers final, in Unix seconds. */
  readonly finalTime: OnChain<number>
  /** Whether `finalTime` is after a time. Reads it only if the latest block is after that time. */
  readonly isPast: (time: number) => OnChain<boolean>
}

export interface SolanaChain extends AnyChain {
  readonly family: "solana"
  /** Returns `true` if the owner does not have an account for the token yet. Opening an account costs rent. */
  readonly lacksAccount: (token: string, owner: string) => OnChain<boolean>
  /** Builds a swap's transaction for the wallet to sign. */
  readonly buildCollect: (input: {
    readonly wallet: string
    readonly token: string
    readonly amount: bigint
    /** The memo: `geoswap:<orderId>:<terms>`. */
    readonly memo: string
  }) => OnChain<UnsignedTransaction>
}

export type Chain = EvmChain | SolanaChain

/** The service's chains, by id. */
export class Chains extends Context.Service<Chains, ReadonlyMap<number, Chain>>()("@geoswap/service/Chains") {}
