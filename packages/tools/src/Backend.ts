/** The port behind the tools: what they read, and how they swap. `fromClient` builds one on the promise client. */
import type { SwapEvent } from "@geoswap/core/promise"
import type * as View from "./views.js"

/** Options for a call. */
export interface Call {
  readonly signal: AbortSignal
  readonly onProgress: (event: SwapEvent) => void
}

/** What to swap. Tokens are written `symbol@chain`, and the amount is in whole tokens. */
export interface Order {
  readonly amount: string
  readonly from: string
  readonly to: string
  readonly recipient?: string | undefined
  readonly slippageBps?: number | undefined
}

/** What to execute. */
export interface ExecuteOrder extends Order {
  /** The least to accept, in whole output tokens. */
  readonly minOutput?: string | undefined
  /** The caller's key for this swap. If omitted, the backend derives one from the order and a time window. */
  readonly idempotencyKey?: string | undefined
  /** How long to wait for the swap to finish, in seconds. */
  readonly waitSeconds: number
}

/**
 * What the tools call. Methods reject with a `ToolError`, or with an error of `@geoswap/core`. Text from a service or a
 * chain may be passed only in fields whose name starts with `untrusted`.
 */
export interface Backend {
  /** Lists the chains. The user's chains come first, because a long list is cut. */
  readonly chains: (call: Call) => Promise<ReadonlyArray<View.Chain>>
  readonly searchTokens: (
    query: string,
    chain: string | undefined,
    call: Call
  ) => Promise<ReadonlyArray<View.FoundToken>>
  readonly balances: (
    chain: string | undefined,
    call: Call
  ) => Promise<{
    readonly balances: ReadonlyArray<View.Balance>
    /** The names of the chains whose balances could not be read. */
    readonly unread: ReadonlyArray<string>
  }>
  readonly quote: (order: Order & { readonly indicative: boolean }, call: Call) => Promise<View.Quote>
  readonly execute: (
    order: ExecuteOrder,
    call: Call
  ) => Promise<{
    readonly swap: View.Swap
    readonly idempotencyKey: string
    /** Whether the swap had been started by an earlier call. */
    readonly repeated: boolean
  }>
  readonly swap: (swapId: string, call: Call) => Promise<View.Swap>
  readonly wait: (swapId: string, seconds: number, call: Call) => Promise<View.Swap>
  readonly swaps: (
    limit: number,
    call: Call
  ) => Promise<{ readonly swaps: ReadonlyArray<View.Swap>; readonly unfinished: ReadonlyArray<View.Unfinished> }>
  /** Resumes a flow, which is named by its flow id or its swap id. */
  readonly resume: (id: string, seconds: number, call: Call) => Promise<View.Swap>
  readonly delegation: (chain: string, call: Call) => Promise<View.Delegation>
  readonly revoke: (chain: string, call: Call) => Promise<View.Delegation>
  readonly policies: (call: Call) => Promise<ReadonlyArray<View.Policy>>
}
