/** The events that `execute` emits: plain objects without sealed tokens or signatures. */
import type * as Effect from "effect/Effect"
import type { Family } from "./Chain.js"
import type { Hex } from "./Hex.js"
import type { FlowId } from "./Id.js"
import type { Method } from "./Payment.js"
import type { Quote, QuoteRequest } from "./Quote.js"
import type { Swap } from "./Swap.js"
import type { SwapError } from "./SwapError.js"

/** A quote without its sealed token. */
export type QuotePreview = Omit<Quote, "geoQuoteToken">

/** How a wallet on an EVM chain pays, and what it can display when it signs. */
export interface PaymentPreview {
  readonly method: Method
  /**
   * What the wallet can display. `terms`: everything, including the recipient and the minimum output. `amount`: the
   * payment, but not the terms, because these are part of a hash (`eip3009`). `hash`: 32 bytes.
   */
  readonly shows: "terms" | "amount" | "hash"
  /** How many signatures the wallet is asked for: two with `erc2612`, otherwise one. */
  readonly signatures: 1 | 2
  readonly chainId: number
  readonly token: string
  readonly amount: bigint
  /** The contract that collects the amount, if it is pinned. */
  readonly vault?: string
  /** The accepted terms. Show them if the wallet cannot. */
  readonly terms: {
    readonly destinationChain: number
    readonly outputToken: string
    readonly recipient: string
    readonly minOutput: bigint
  }
}

/** One step in a swap. */
export type SwapEvent =
  | { readonly type: "quoted"; readonly request: QuoteRequest; readonly quote: QuotePreview }
  | {
      readonly type: "requoted"
      readonly quote: QuotePreview
      readonly previous: QuotePreview
      /** How many quotes have been replaced so far. */
      readonly count: number
    }
  /** The wallet is asked to sign its delegation, once the caller has accepted it. */
  | { readonly type: "authorizing"; readonly chainId: number; readonly delegate: Hex; readonly nonce: number }
  /** `deadline`: the time, in Unix seconds, after which the operation can no longer be executed, if known. */
  | {
      readonly type: "built"
      readonly family: Family
      readonly deadline?: number
      /** EVM only: how the wallet pays. */
      readonly paymentMethod?: Method
    }
  | {
      readonly type: "verified"
      /** `false` if the policy allows a blind signature and nothing could be verified. */
      readonly checked: boolean
      /** EVM only: how the wallet pays, and what it can display. */
      readonly payment?: PaymentPreview
    }
  /** `flowId`: the id of the flow to resume if the process stops after this point. */
  | { readonly type: "signed"; readonly flowId: FlowId }
  | { readonly type: "submitted"; readonly flowId: FlowId; readonly swap: Swap }
  /** The same bytes are being sent again because the last attempt got no conclusive response. */
  | {
      readonly type: "resubmitted"
      readonly flowId: FlowId
      readonly attempt: number
      readonly after: SwapError["_tag"]
    }
  | { readonly type: "status"; readonly swap: Swap }
  | { readonly type: "done"; readonly swap: Swap }

/** Reports a step. */
export type Emit = (event: SwapEvent) => Effect.Effect<void>

/** Removes the sealed token from a quote. */
export const previewOf = (quote: Quote): QuotePreview => {
  const { geoQuoteToken: _, ...preview } = quote
  return preview
}
