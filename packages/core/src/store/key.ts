/** Which flow an idempotency key belongs to, and how its swap ended. */
import * as Schema from "effect/Schema"
import { optionalString } from "../codecs/lenient.js"
import { FlowId, type SwapId } from "../Id.js"

/**
 * What is stored for an idempotency key. The key can be taken by another flow if its flow is no longer stored and its
 * swap has not ended.
 */
export const Key = /* @__PURE__ */ Schema.Struct({
  key: Schema.String,
  /** The wallet whose document has the flow. */
  wallet: Schema.String,
  /** Identifies the request and the service that the key belongs to. */
  requestHash: Schema.String,
  flowId: FlowId,
  /** The swap, once it has ended. */
  swapId: /* @__PURE__ */ Schema.optionalKey(Schema.String as Schema.Codec<SwapId, string>),
  /** The terminal status of the swap. */
  status: optionalString
})
export type Key = typeof Key.Type
