/** What an `execute` call has done so far, for its idempotency key or its flow. */
import * as Schema from "effect/Schema"
import { optionalString } from "../codecs/lenient.js"
import type { FlowId, SwapId } from "../Id.js"

/**
 * The state of an `execute` call. `claimed`: the call has claimed the entry but has signed nothing. `signing`:
 * a signature may exist, and the store may contain the flow. `accepted`: the service has assigned a swap id. `ended`:
 * the swap has settled, failed or been refunded.
 */
export const Entry = /* @__PURE__ */ Schema.Struct({
  /** The idempotency key, or the id of the flow if it has no idempotency key. */
  key: Schema.String,
  /** The wallet that pays. */
  wallet: Schema.String,
  /** Identifies the request and the service that the entry belongs to. */
  requestHash: Schema.String,
  state: /* @__PURE__ */ Schema.Literals(["claimed", "signing", "accepted", "ended"]),
  /** The id of the `execute` call that claimed the key. */
  owner: Schema.String,
  /**
   * The time, in Unix milliseconds, after which another `execute` call may take over the claim if its state is still
   * `claimed`. If the time is 0, the claim has been released.
   */
  until: Schema.Finite,
  /** The id of the flow, set once the state is `signing`. */
  flowId: /* @__PURE__ */ Schema.optionalKey(Schema.String as Schema.Codec<FlowId, string>),
  /** How many signatures have been made for the flow. */
  signatures: /* @__PURE__ */ Schema.optionalKey(Schema.Finite),
  /**
   * Whether the flow has been resumed since the latest signature. If so, the latest signature may have been sent, so it
   * must stay in the signature count.
   */
  resumed: /* @__PURE__ */ Schema.optionalKey(Schema.Boolean),
  /** Whether the process that made the latest signature may have sent it. */
  sent: /* @__PURE__ */ Schema.optionalKey(Schema.Boolean),
  swapId: /* @__PURE__ */ Schema.optionalKey(Schema.String as Schema.Codec<SwapId, string>),
  /** The terminal status of the swap. */
  status: optionalString
})
export type Entry = typeof Entry.Type
