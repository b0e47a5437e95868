/** A submitted swap and its status. */
import * as Schema from "effect/Schema"
import * as Amount from "./Amount.js"
import { lenient, optionalString } from "./codecs/lenient.js"
import { openStruct } from "./codecs/openStruct.js"

const statuses = ["pending", "settled", "failed", "refunded"] as const

const Known = Schema.Literals(statuses)

/** A swap is pending until it has settled, failed or been refunded. An unknown status is treated as pending. */
export const Status = lenient(
  Schema.String,
  Known,
  (wire) => statuses.find((status) => status === wire.toLowerCase()) ?? "pending"
)
export type Status = typeof Known.Type

/**
 * The form of a swap id: letters, digits and the punctuation used in base64 and UUIDs, but nothing that is special in a
 * shell or in HTML. An id that consists only of dots is invalid, because URL normalization would remove it. Because ids
 * are displayed and logged, the maximum length is too short to hold a signature.
 */
const swapId = /^(?!\.+$)[\w.~:/+=-]{1,128}$/

/** Whether a string is a valid swap id. */
export const isSwapId = (text: unknown): text is string => typeof text === "string" && swapId.test(text)

/** The response to submit and status calls. */
export const Swap = openStruct({
  swapId: Schema.String.check(Schema.isPattern(swapId)),
  status: Status,
  /** The transaction on the origin chain, once known. */
  originTxHash: optionalString,
  /** The transaction on the destination chain, once known. */
  deliveryTxHash: optionalString,
  /** The transaction that refunds the input, once known. */
  refundTxHash: optionalString,
  /** The refunded amount in the input token's smallest unit, if it is less than the input. */
  refundAmount: Schema.optionalKey(Amount.Wrapped),
  /** Why the swap failed or was refunded, if the service gives a reason. */
  failureCode: optionalString
})
export type Swap = typeof Swap.Type

/** Whether a swap has settled, failed or been refunded. */
export const isTerminal = (swap: Pick<Swap, "status">): boolean => swap.status !== "pending"
