/** A submitted swap and its status. */
import * as Schema from "effect/Schema"
import * as Amount from "./Amount.js"
import { ChainId } from "./Chain.js"
import { SwapId } from "./Id.js"
import { Instant } from "./codecs/instant.js"
import { lenient, Numeric, optionalString } from "./codecs/lenient.js"
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

/** An address of a token or a wallet. Addresses are displayed, so they contain only letters and digits. */
const Address = Schema.String.check(Schema.isPattern(/^[0-9A-Za-z]{1,128}$/))

/** An amount of a token on a chain. */
export const SwapAmount = openStruct({
  chainId: ChainId,
  /** The token's address. */
  token: Address,
  /** The amount in the token's smallest unit. */
  amount: Amount.Amount
})
export type SwapAmount = typeof SwapAmount.Type

const optionalAmount = Schema.optionalKey(SwapAmount)
/** The times up to the last millisecond of the year 9999, the last year that ISO 8601 writes with four digits. */
const isTime = Schema.isBetweenDate({ minimum: new Date(0), maximum: new Date(253_402_300_799_999) })
const optionalInstant = Schema.optionalKey(Instant.check(isTime))

const paid = {
  chainId: ChainId,
  txHash: Schema.String,
  /** The amount that was paid, in the token's smallest unit. */
  amount: Amount.Amount
}

/**
 * What the caller's own nodes saw. `delivery`: a pinned vault paid at least the signed minimum to the recipient, for an
 * order that the wallet signed. `refund`: a pinned vault returned the input to the wallet, less at most the quoted network
 * cost. `expiry`: every signature of the swap has expired unused, so it can never be executed.
 */
const ProofShape = Schema.Union([
  Schema.Struct({ seen: Schema.Literals(["delivery", "refund"]), ...paid }),
  Schema.Struct({ seen: Schema.Literal("expiry"), chainId: ChainId })
])
export type Proof = typeof ProofShape.Type

/**
 * What a service may report about a swap in addition to its status. Every field is optional, and an invalid
 * value is dropped.
 */
const report = {
  /**
   * What the wallet pays. From the signed request if the client has the swap's flow (`execute` and `resume`), and
   * otherwise from the service (`submit`, `status`, `wait` and `watch`).
   */
  input: optionalAmount,
  /**
   * What the recipient was to receive. From the accepted quote if the client has the swap's flow, and otherwise from the
   * service.
   */
  quotedOutput: optionalAmount,
  /**
   * What the recipient received, once the swap has settled. From the service: compare it with `quotedOutput`, and check
   * `deliveryTxHash` on your own node. If the client has the swap's flow, an amount of another token is dropped.
   */
  output: optionalAmount,
  /**
   * What was returned to the wallet, once the swap was refunded. From the service: check `refundTxHash` on your own node.
   * If the client has the swap's flow, an amount of another token, or of more than the input, is dropped.
   */
  refund: optionalAmount,
  /**
   * The fee in basis points, already deducted from the quoted output. From the accepted quote if the client has the
   * swap's flow, and otherwise from the service.
   */
  feeBps: Schema.optionalKey(Numeric.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))),
  /**
   * The network cost in the input token's smallest unit, already deducted from the quoted output. From the accepted
   * quote if the client has the swap's flow, and otherwise from the service.
   */
  networkCost: Schema.optionalKey(Amount.Amount),
  /**
   * The address that receives the output. From the signed request if the client has the swap's flow, and otherwise from
   * the service.
   */
  recipient: Schema.optionalKey(Address),
  /** When the service accepted the swap. From the service, by its clock. */
  acceptedAt: optionalInstant,
  /** When the service saw that the input had arrived in a final block. From the service, by its clock. */
  collectedAt: optionalInstant,
  /** When the swap settled, failed or was refunded. From the service, by its clock. */
  finishedAt: optionalInstant,
  /**
   * The least that the recipient must receive, in the output token's smallest unit, from the accepted quote. Absent if the
   * client does not have the swap's flow: what a service sends under this name is dropped.
   */
  minOutput: Schema.optionalKey(Schema.Never as unknown as typeof Amount.Amount),
  /**
   * What your own nodes saw of the outcome in final blocks. Absent if the status is only what the service claims. Never
   * from the service: what it sends under this name is dropped.
   */
  proof: Schema.optionalKey(Schema.Never as unknown as typeof ProofShape)
}

/**
 * The response to submit and status calls. The service reports the status, the hashes, the refunded amount and the
 * failure code. A single call does not check them; `execute` and `resume` add a `proof` if your own nodes show the outcome.
 */
export const Swap = openStruct(
  {
    swapId: SwapId,
    status: Status,
    /** The transaction on the origin chain, once known. */
    originTxHash: optionalString,
    /** The transaction on the destination chain, once known. For a refunded swap, a delivery that reverted. */
    deliveryTxHash: optionalString,
    /** The transaction that refunds the input, once known. */
    refundTxHash: optionalString,
    /** The refunded amount in the input token's smallest unit, if it is less than the input. */
    refundAmount: Schema.optionalKey(Amount.Wrapped),
    /** Why the swap failed or was refunded, if the service gives a reason. */
    failureCode: optionalString,
    ...report
  },
  {},
  Object.keys(report) as Array<keyof typeof report>
)
export type Swap = typeof Swap.Type

/** Whether a swap's status is proved, or only claimed by the service. */
export const isProved = ({ proof }: Pick<Swap, "proof">): boolean => proof !== undefined

/** Whether a swap has settled, failed or been refunded. */
export const isTerminal = (swap: Pick<Swap, "status">): boolean => swap.status !== "pending"
