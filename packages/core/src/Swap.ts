/** A submitted swap and its status. */
import * as Schema from "effect/Schema"
import * as Amount from "./Amount.js"
import { lenient, optionalString } from "./codecs/lenient.js"
import { openStruct } from "./codecs/openStruct.js"

const statuses = ["pending", "settled", "failed", "refunded"] as const

const Known = Schema.Literals(statuses)

/** §3: pending until it is settled, failed or refunded. A status this package does not know counts as pending. */
export const Status = lenient(
  Schema.String,
  Known,
  (wire) => statuses.find((status) => status === wire.toLowerCase()) ?? "pending"
)
export type Status = typeof Known.Type

/**
 * Letters, digits and what base64 and UUIDs add: nothing that a shell or a page reads as its own. Not only dots, which a
 * path folds away, and too short for a signature, since ids are shown and logged.
 */
const swapId = /^(?!\.+$)[\w.~:/+=-]{1,128}$/

/** Whether a text can be the id of a swap. */
export const isSwapId = (text: unknown): text is string => typeof text === "string" && swapId.test(text)

/** The answer of the submit and status calls. */
export const Swap = openStruct({
  swapId: Schema.String.check(Schema.isPattern(swapId)),
  status: Status,
  /** The transaction on the origin chain, once known. */
  originTxHash: optionalString,
  /** The transaction on the destination chain, once known. */
  deliveryTxHash: optionalString,
  /** The transaction that gave the input back, once known. */
  refundTxHash: optionalString,
  /** How much of the input is refunded, in smallest units, if that is not all of it. */
  refundAmount: Schema.optionalKey(Amount.Wrapped),
  /** Why a swap failed or was refunded, where the service says so. */
  failureCode: optionalString
})
export type Swap = typeof Swap.Type

/** Whether a swap has reached its end. */
export const isTerminal = (swap: Pick<Swap, "status">): boolean => swap.status !== "pending"
