/**
 * The policy that a person has set for a wallet that an agent uses. Everything that an agent signs goes through
 * `WalletPolicy.layer`.
 */
import type { Chain, Ledger, Policy, Signer, SwapError } from "@geoswap/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Settings } from "../config/Settings.js"
import type { FileProblem } from "../node/secretFile.js"
import type { Failure } from "../output/Exit.js"
import type { KeyError } from "../keys/Keystore.js"
import type { Approval } from "./Approvals.js"
import type { ApprovalNeeded, ApprovalRefused, NoPolicy, PolicyConflict, PolicyTampered } from "./PolicyError.js"
import type { AgentRules } from "./PolicyFile.js"

export { ApprovalNeeded, ApprovalRefused, NoPolicy, PolicyConflict, PolicyTampered } from "./PolicyError.js"

/**
 * `enforced`: the key is in an encrypted keystore, so the limits cannot be changed without its password. `advisory`: the
 * key is in the environment or in a plain file, so any program that can read it can sign without the policy.
 */
export type Boundary = "enforced" | "advisory"

/** A budget, in whole tokens. */
export interface BudgetView {
  readonly chain: number
  readonly token: string
  readonly symbol: string
  readonly window: Ledger.Window
  readonly amount: string
  readonly spent: string
  readonly left: string
}

/** The policy and what is left of it, as plain JSON. Amounts are in whole tokens of the policy's pinned tokens. */
export interface PolicyView {
  readonly boundary: Boundary
  readonly wallet: { readonly kind: Chain.Family; readonly address: string }
  readonly service: string
  readonly chains: ReadonlyArray<number>
  readonly tokens: ReadonlyArray<{
    readonly chain: number
    readonly address: string
    readonly symbol: string
    readonly decimals: number
    /** Swaps of more than this need a person's approval. Absent: no threshold. */
    readonly approveAbove?: string
  }>
  readonly recipients: ReadonlyArray<string>
  readonly delegates: ReadonlyArray<{ readonly chain: number; readonly delegates: ReadonlyArray<string> }>
  readonly budgets: ReadonlyArray<BudgetView>
  readonly maxSlippageBps: number
  readonly maxFeeBps: number
  readonly maxPriceImpactBps: number
  readonly maxSwapsPerHour: number
  readonly swapsLeftThisHour: number
  /** The pairs with a price of the policy. Every other pair needs a person's approval. */
  readonly pairs: ReadonlyArray<{
    readonly input: { readonly chain: number; readonly token: string }
    readonly output: { readonly chain: number; readonly token: string }
    /** The least number of whole output tokens per whole input token. */
    readonly minRate?: string
    /** The largest loss against the policy's price feeds. */
    readonly maxLossBps?: number
  }>
  readonly approvalSeconds: number
  /** Whether an answer to an elicitation of the MCP server is an approval. */
  readonly elicitation: boolean
  readonly pendingApprovals: number
}

/** What a command is about to sign. */
export interface Order {
  readonly originChain: number
  /** Further limits, for example from flags. They can only narrow the policy. */
  readonly limits?: Policy.Options | undefined
}

/** The policy of one wallet, with its key open. The policy's file is read again, and verified, for every use. */
export interface WalletPolicy {
  readonly family: Chain.Family
  readonly address: string
  readonly boundary: Boundary
  /** The verified rules: pinned tokens, nodes, deployments, limits. */
  readonly rules: Effect.Effect<AgentRules, NoPolicy | PolicyTampered>
  readonly view: Effect.Effect<PolicyView, NoPolicy | PolicyTampered | SwapError.LedgerError>
  /**
   * Provides core's policy, signers, ledger and chain readers for an order. Fails if the settings' service is not the
   * policy's service.
   */
  readonly layer: (
    order: Order
  ) => Layer.Layer<Policy.Policy | Signer.Signers, NoPolicy | PolicyTampered | PolicyConflict, Settings>
  /**
   * The policy's ledger, for records besides core's, such as idempotency keys that were derived from arguments. Names of
   * such records start with `agent-`.
   */
  readonly store: Effect.Effect<Ledger.Store, NoPolicy | PolicyTampered>
  /** Returns the approval that an error of `Client.execute` asks for, or `undefined` for any other error. */
  readonly approvalNeeded: (
    error: unknown
  ) => Effect.Effect<ApprovalNeeded | undefined, NoPolicy | PolicyTampered | SwapError.LedgerError>
  /** The approvals that are pending or unused. */
  readonly approvals: Effect.Effect<ReadonlyArray<Approval>, NoPolicy | PolicyTampered | SwapError.LedgerError>
  /** Approves with a person's answer to an elicitation. Refused unless the policy allows elicitation. */
  readonly approveByElicitation: (
    approvalId: string
  ) => Effect.Effect<void, ApprovalRefused | NoPolicy | PolicyTampered | SwapError.LedgerError>
}

/** The errors that can occur when a wallet's key is opened. */
export type OpenError = KeyError | FileProblem | Failure

/** The policies of the user's wallets. */
export interface AgentPolicy {
  /** Opens the wallet of a chain family once, and returns its policy. A missing policy is reported on use. */
  readonly wallet: (family: Chain.Family) => Effect.Effect<WalletPolicy, OpenError>
}

/** The policies of the user's wallets. */
export const AgentPolicy: Context.Service<AgentPolicy, AgentPolicy> =
  /* @__PURE__ */ Context.Service<AgentPolicy>("@geoswap/cli/AgentPolicy")
