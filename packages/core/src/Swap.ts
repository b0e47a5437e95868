/** A submitted swap and its status. */
import * as Schema from "effect/Schema"
import { lenient } from "./internal/lenient.js"
import { open } from "./internal/open.js"

const statuses = ["pending", "settled", "failed", "refunded"] as const

const Known = Schema.Literals(statuses)

/** §3: pending until it is settled, failed or refunded. A status this package does not know counts as pending. */
export const Status = lenient(
  Schema.String,
  Known,
  (wire) => statuses.find((status) => status === wire.toLowerCase()) ?? "pending"
)
export type Status = typeof Known.Type

/** The answer of the submit and status calls. */
export const Swap = open({
  swapId: Schema.NonEmptyString,
  status: Status,
  /** The transaction on the origin chain, once known. */
  originTxHash: Schema.optionalKey(Schema.String),
  /** The transaction on the destination chain, once known. */
  deliveryTxHash: Schema.optionalKey(Schema.String),
  /** The transaction that gave the input back, once known. */
  refundTxHash: Schema.optionalKey(Schema.String),
  /** Why a swap failed or was refunded, where the service says so. */
  failureCode: Schema.optionalKey(Schema.String)
})
export type Swap = typeof Swap.Type

/** Whether a swap has reached its end. */
export const isTerminal = (swap: Pick<Swap, "status">): boolean => swap.status !== "pending"
