/** The events that `execute` emits: plain objects without sealed tokens or signatures. */
import type * as Effect from "effect/Effect"
import type { Family } from "./Chain.js"
import type { Hex } from "./Hex.js"
import type { FlowId } from "./Id.js"
import type { Quote, QuoteRequest } from "./Quote.js"
import type { Swap } from "./Swap.js"
import type { SwapError } from "./SwapError.js"

/** A quote without its sealed token. */
export type QuotePreview = Omit<Quote, "geoQuoteToken">

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
  | { readonly type: "authorizing"; readonly chainId: number; readonly delegate: Hex; readonly nonce: number }
  /** `deadline`: the time, in Unix seconds, after which the operation can no longer be executed, if known. */
  | { readonly type: "built"; readonly family: Family; readonly deadline?: number }
  /** `checked` is `false` if the policy allows a blind signature and nothing could be verified. */
  | { readonly type: "verified"; readonly checked: boolean }
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
