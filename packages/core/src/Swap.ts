/** A submitted swap and its status. */
import * as Schema from "effect/Schema"
import * as Amount from "./Amount.js"
import { SwapId } from "./Id.js"
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

/** The response to submit and status calls. */
export const Swap = openStruct({
  swapId: SwapId,
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
