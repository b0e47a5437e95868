/**
 * Closes a swap at the operator's request after a vault has paid the swap's order in a different way than the service
 * would have.
 */
import { Chain as CoreChain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Chain } from "../../chains/Chains.js"
import type { Payment } from "../../chains/Outcome.js"
import type { State, SwapRecord } from "../../domain/SwapRecord.js"
import type * as Store from "../../store/Store.js"
import { chainFor, jobOf } from "../steps/swapJobs.js"
import type { Worker } from "../Worker.js"
import { finishSwap, notProven } from "./operatorChange.js"

/** The chains and the store. */
type Parts = Pick<Worker, "chains" | "store">

type Paid = Extract<Payment, { readonly _tag: "Paid" }>

/** A vault's payment, compared with what the service owed. */
export interface ClosingPayment extends Omit<Paid, "_tag"> {
  readonly chainId: number
  readonly owed: { readonly to: string; readonly token: string; readonly amount: bigint }
  /** Whether the right address received the right token on the right chain, in whatever amount. */
  readonly asAgreed: boolean
  /** Whether the right address received at least the owed amount of the right token. */
  readonly inFull: boolean
}

const afterFunds: ReadonlySet<State> = new Set([
  "origin_final",
  "delivery_prepared",
  "delivery_sent",
  "refund_prepared",
  "refund_sent"
])

const sends = ["deliver", "refund"] as const

const nounOf = (kind: (typeof sends)[number]): string => (kind === "deliver" ? "delivery" : "refund")

const compare = (swap: SwapRecord, chainId: number, payment: Paid): ClosingPayment => {
  const { _tag: _, ...paid } = payment
  const { kind } = paid
  const owed =
    kind === "deliver"
      ? { to: swap.recipient, token: swap.outputToken, amount: swap.output }
      : { to: swap.wallet, token: swap.inputToken, amount: swap.refundAmount ?? swap.amount }
  // A refund must be on the origin chain, and a delivery must be on the destination chain.
  const inPlace = chainId === (kind === "deliver" ? swap.destinationChain : swap.originChain)
  const same = CoreChain.sameAddress("evm", paid.to, owed.to) && CoreChain.sameAddress("evm", paid.token, owed.token)
  const asAgreed = inPlace && same
  return { ...paid, chainId, owed, asAgreed, inFull: asAgreed && paid.amount >= owed.amount }
}

/**
 * Requires that none of our transactions can still pay the order a second time. The vaults do not rule this out,
 * because each vault records only its own payments.
 */
const requireDead = Effect.fnUntraced(function* (parts: Parts, swap: SwapRecord) {
  for (const kind of sends) {
    const attempts = yield* parts.store.attempts(swap.id, kind)
    if (attempts.length === 0) continue
    const outcome = yield* chainFor(parts, swap, kind).observe(jobOf(swap, kind), attempts)
    if (outcome._tag === "Dead") continue
    return yield* notProven(
      outcome._tag === "Done"
        ? `The service's own ${nounOf(kind)} is final: ${outcome.hash}. A running server will finish the swap.`
        : `A ${nounOf(kind)} for the swap may still be included in a block. Keep a server running until a finalized block rules this out, and then try again.`
    )
  }
})

const find = Effect.fnUntraced(function* ({ chains }: Parts, swap: SwapRecord, hash: string) {
  const reports: Array<string> = []
  for (const chainId of new Set([swap.originChain, swap.destinationChain])) {
    const chain = chains.get(chainId)
    if (chain?.family !== "evm") continue
    const payment = yield* chain.paymentIn(swap.orderId, hash)
    if (payment._tag === "Paid") return compare(swap, chainId, payment)
    reports.push(`Chain ${chainId}: ${payment.message}`)
  }
  return yield* notProven(
    reports.length === 0
      ? "None of the swap's chains is a configured EVM chain, and Solana does not record orders."
      : `${hash} is not a final payment for order ${swap.orderId}. ${reports.join(" ")}`
  )
})

/**
 * Changes the swap to `refunded` or `settled`, depending on the vault's event. Each vault pays an order only once, so
 * this vault cannot pay the order again. Requires that a quorum of nodes shows the event in a finalized block, and that
 * none of our transactions can still pay the order. A payment that is too small or that went to the wrong address
 * requires a `reason`, because the operator is responsible for what is still owed.
 */
export const closePaid = Effect.fn("Executor.closePaid")(function* (
  chains: ReadonlyMap<number, Chain>,
  store: Store.Store,
  swap: SwapRecord,
  { hash, reason }: { readonly hash: string; readonly reason?: string | undefined }
) {
  const parts = { chains, store }
  if (!afterFunds.has(swap.state)) {
    return yield* notProven(
      `The swap's state is ${swap.state}. Only an unfinished swap whose input has arrived can be closed.`
    )
  }
  const missing = [swap.originChain, swap.destinationChain].find((id) => !chains.has(id))
  if (missing !== undefined) {
    return yield* notProven(`The swap's chain ${missing} is not configured. Add it to the configuration.`)
  }
  const payment = yield* find(parts, swap, hash)
  const { amount, block, kind, owed, to, token } = payment
  const message = `the vault's ${nounOf(kind)} of ${amount} units of ${token} to ${to}`
  if (!payment.inFull && reason === undefined) {
    return yield* notProven(
      `${hash} is ${message}, but the service owes ${owed.amount} units of ${owed.token} to ${owed.to}. A vault pays an order only once: ` +
        "pay the difference manually, and close the swap with --reason <text>. The text is kept in the swap's history."
    )
  }
  yield* requireDead(parts, swap)
  const instead = payment.inFull ? "" : ` instead of ${owed.amount} units of ${owed.token} to ${owed.to}`
  const detail = `closed by the operator: ${message}${instead}${reason === undefined ? "" : ` (${reason})`}`
  const ended = yield* finishSwap(store, swap, {
    detail,
    // If anything but the amount is wrong, the amount is not of the token that the caller expects.
    ...(payment.asAgreed && { paidAmount: amount }),
    ...(kind === "deliver"
      ? { to: "settled" as const, deliveryTxHash: hash, ...(payment.chainId === swap.destinationChain && { block }) }
      : { to: "refunded" as const, refundTxHash: hash, failureCode: swap.failureCode ?? "REFUNDED_BY_OWNER" })
  })
  return { swap: ended, payment }
})
