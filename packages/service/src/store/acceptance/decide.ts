/** Decides which swaps in a group are accepted. The decisions are the same on every database. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { addressKey } from "../../chains/addressKey.js"
import * as OperationNonces from "../operationNonces.js"
import * as Rows from "../rows.js"
import type { Acceptance, Limits } from "../Store.js"
import type { Accepted } from "../SwapRecord.js"
import type { NewSwap } from "./AcceptanceStore.js"
import { approvalKey, hasPermit, type InFlight, targetKey } from "./paymentLimits.js"

/** One call to `accept`. */
export interface Call {
  readonly swap: Accepted
  readonly limits: Limits
  /** From this time on, the swap is not accepted, in Unix milliseconds. */
  readonly until: number
  /** The maximum number of orders in flight with the same target. */
  readonly inFlightPerTarget: number
  /** The caller's clock. */
  readonly clock: Clock.Clock
  readonly keys: Keys
  /** The swap's row, except for the time at which it is accepted. */
  readonly row: NewSwap
}

/** The keys by which a swap's limits and nonce are found. */
interface Keys {
  readonly wallet: string
  readonly input: string
  readonly output: string
  readonly nonce: OperationNonces.OperationNonce | undefined
}

/** Creates a call. Throws if the swap has a value that cannot be stored. */
export const callOf = (
  swap: Accepted,
  limits: Limits,
  until: number,
  clock: Clock.Clock,
  inFlightPerTarget = Infinity
): Call => {
  const keys = {
    wallet: addressKey(swap.wallet),
    input: addressKey(swap.inputToken),
    output: addressKey(swap.outputToken),
    nonce: OperationNonces.nonceOf(swap)
  }
  const row = {
    ...Rows.newSwapRow(swap),
    wallet_key: keys.wallet,
    input_token_key: keys.input,
    output_token_key: keys.output,
    nonce: keys.nonce?.nonce ?? null
  }
  return { swap, limits, until, inFlightPerTarget, clock, keys, row }
}

/** What the database contains when a group is decided. All facts were read while the group's locks were held. */
export interface Facts {
  /** The row of the order's swap. */
  readonly existing: Rows.SwapRow | undefined
  /** Whether the operation's nonce belongs to a swap that has not failed. */
  readonly nonceUsed: boolean
  /** The inputs of the wallet's pending swaps that the balance still includes. */
  readonly inFlight: bigint
  /** The reserved amount of the output token. */
  readonly reserved: bigint
  readonly balanceSince: bigint
  readonly inventorySince: bigint
  /** Payments: the orders in flight that limit the swap. */
  readonly payments?: InFlight
}

/** A decision, with rows that have not been decoded yet. */
export type Decision =
  | Exclude<Acceptance, { readonly _tag: "Inserted" | "Existing" }>
  | { readonly _tag: "Inserted"; readonly row: NewSwap }
  | { readonly _tag: "Existing"; readonly row: Rows.SwapRow }

/** Whether the order's swap is the same operation from the same account. */
const isSame = (swap: Accepted, row: Rows.SwapRow): boolean =>
  row["account_id"] === swap.accountId && row["operation_hash"] === swap.operationHash

const add = (sums: Map<string, bigint>, key: string, amount: bigint): void =>
  void sums.set(key, (sums.get(key) ?? 0n) + amount)

/**
 * Decides the calls in a group one after the other, as if each had been committed before the next. The time is read
 * while the orders are locked, so that an expired order that was reported to have no swap never gets one.
 */
export const decide = Effect.fnUntraced(function* (
  calls: ReadonlyArray<Call>,
  facts: ReadonlyArray<Facts>
): Effect.fn.Return<ReadonlyArray<Decision>> {
  const orders = new Map<string, NewSwap>()
  const nonces = new Set<string>()
  const inFlight = new Map<string, bigint>()
  const reserved = new Map<string, bigint>()
  const permits = new Set<string>()
  const approved = new Map<string, bigint>()
  const targets = new Map<string, bigint>()
  const decisions: Array<Decision> = []

  for (const [index, call] of calls.entries()) {
    const { clock, keys, limits, swap, until } = call
    const known = facts[index]
    if (known === undefined) return yield* Effect.die(new Error("The database returned no facts for a swap."))
    const { balanceSince, inventorySince } = known
    const earlier = orders.get(swap.orderId)
    const existing = known.existing ?? (earlier && Rows.insertedRow(earlier))
    const walletKey = `${swap.originChain} ${keys.input} ${keys.wallet}`
    const outputKey = `${swap.destinationChain} ${keys.output}`
    const nonceKey = keys.nonce === undefined ? undefined : OperationNonces.lockName(keys.nonce)
    const inFlightSum = known.inFlight + (inFlight.get(walletKey) ?? 0n)
    const reservedSum = known.reserved + (reserved.get(outputKey) ?? 0n)

    const [approval, target] = [approvalKey(swap), targetKey(swap)]
    const { payments = { permits: 0, approved: 0n, target: 0 } } = known
    const inFlightOfTarget = BigInt(payments.target) + (targets.get(target ?? "") ?? 0n)
    const approvedSum = payments.approved + (approved.get(approval ?? "") ?? 0n)
    const hasPermitInFlight = payments.permits > 0 || permits.has(approval ?? "")

    const refused = (): Decision | undefined => {
      if (existing !== undefined) {
        return isSame(swap, existing) ? { _tag: "Existing", row: existing } : { _tag: "QuoteUsed" }
      }
      if (known.nonceUsed || (nonceKey !== undefined && nonces.has(nonceKey))) return { _tag: "NonceUsed" }
      // A permit replaces the approval that other payments need, or that another permit has set.
      if (approval !== undefined && (hasPermitInFlight || (hasPermit(swap) && approvedSum > 0n))) {
        return { _tag: "PermitInFlight" }
      }
      if (target !== undefined && inFlightOfTarget >= call.inFlightPerTarget) return { _tag: "TargetBusy" }
      const approvalBlock = limits.approval?.block ?? limits.balance.block
      if (
        limits.balance.block < balanceSince ||
        approvalBlock < balanceSince ||
        limits.inventory.block < inventorySince
      ) {
        return { _tag: "Outdated", balanceSince, inventorySince }
      }
      if (inFlightSum + swap.amount > limits.balance.amount) return { _tag: "BalanceInFlight", inFlight: inFlightSum }
      if (limits.approval !== undefined && approvedSum + swap.amount > limits.approval.amount) {
        return { _tag: "ApprovalInFlight", inFlight: approvedSum }
      }
      if (reservedSum + swap.output > limits.inventory.amount) {
        return { _tag: "InventoryReserved", reserved: reservedSum }
      }
      return undefined
    }

    const decision = refused()
    if (decision !== undefined) {
      decisions.push(decision)
      continue
    }
    const now = yield* clock.currentTimeMillis
    if (now >= until) {
      decisions.push({ _tag: "Late" })
      continue
    }
    const row = { ...call.row, updated_at: now }
    orders.set(swap.orderId, row)
    if (nonceKey !== undefined) nonces.add(nonceKey)
    if (approval !== undefined) {
      if (hasPermit(swap)) permits.add(approval)
      else add(approved, approval, swap.amount)
    }
    if (target !== undefined) add(targets, target, 1n)
    add(inFlight, walletKey, swap.amount)
    add(reserved, outputKey, swap.output)
    decisions.push({ _tag: "Inserted", row })
  }
  return decisions
})
