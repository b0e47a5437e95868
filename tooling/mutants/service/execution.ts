/** Faults of execution: what is signed, stored, sent and watched. */
import { mutantsOf as of } from "../../testing/mutant.ts"

const src = "packages/service/src"

export const execution = [
  of(`${src}/execution/stateMachine.ts`, ["delivery_prepared: sendDelivery", "delivery_prepared: decide"]),
  of(
    `${src}/execution/transactions/sendAndWatch.ts`,
    ["failed === undefined || landed?.cancels === true", "failed === undefined"],
    ["return later(yield* excluded(worker, swap, kind))", "return later(swap)"],
    ["batch === undefined || batch.nonce !== newest.nonce", "batch === undefined"],
    ["if (!isBatch) return yield* change(", "if (true) return yield* change("]
  ),
  of(`${src}/execution/steps/stepActions.ts`, [
    "if ((yield* Clock.currentTimeMillis) < (heldUntil.get(id) ?? 0)) return",
    "if (true) return"
  ]),
  of(
    `${src}/execution/transactions/signAndStore.ts`,
    ["others.slice(0, count - 1)", "others.slice(0, count)"],
    ["draft.shares !== undefined && !isAlone &&", "draft.shares !== undefined &&"]
  ),
  of(
    `${src}/execution/steps/destination.ts`,
    ["if (yield* isTooOld(worker, swap)) return", "if (false) return"],
    ["worthDelivering(swap, price.success, quotes)", "true"],
    ['if (result._tag === "Exceeded") return undefined', 'if (result._tag === "Exceeded") return swap'],
    ['if (code === "ALREADY_DONE")', "if (false)"],
    ['why === "reverted" && deliveries >= maxDeliveries', "false"],
    ["cancel: () => isTooOld(worker, swap)", "cancel: never"],
    ["({ length }) => length > 0", "({ length }) => length > 1"]
  ),
  of(
    `${src}/execution/steps/origin.ts`,
    ['code === "ALREADY_DONE" || (swap.operation', "(swap.operation"],
    ['(late || code === "OPERATION_EXPIRED")', 'code === "OPERATION_EXPIRED"'],
    ["Math.max(deadlineOf(swap), ...members.map(deadlineOf))", "deadlineOf(swap)"],
    ['!swap.reserved && reason?.code !== "ALREADY_DONE"', "!swap.reserved"]
  ),
  of(
    `${src}/execution/steps/settleOrRefund.ts`,
    ['if (unclear?._tag !== "Unclear") return undefined', "if (true) return undefined"],
    ["[back, out].find(", "[back].find("],
    ['if (out._tag === "Done") return', "if (false) return"],
    ["const external = yield* settledExternally(worker, swap, true)", "const external = undefined"]
  ),
  of(
    `${src}/execution/transactions/chooseRelayer.ts`,
    ["pendingOf(key) > expense.balance", "false"],
    ["lane.expenses.add(expense)", ""],
    ["lane?.retiredAt !== undefined", "false"],
    ["if (nonce > firstUnknown(key)) lane.uncounted.set(nonce - 1, cost)", ""],
    ["lane.uncounted.set(nonce, expense?.cost ?? 0n)", ""]
  ),
  of(
    `${src}/execution/transactions/batchQueue.ts`,
    ["?.slice(0, maxBatch)", ""],
    ['({ job: { draft } }) => draft.shares ?? ""', '() => ""'],
    ["waiting.filter((one) => !taken.has(one))", "waiting"]
  ),
  of(
    `${src}/execution/steps/losses.ts`,
    ["members.length > 1 ? gas / BigInt(members.length) : gas", "0n"],
    ["!isLate(operation, time ?? at / 1000)", "true"],
    ['code !== "VAULT_PAUSED" && !tokenPaused', "true"],
    ['CoreChain.sameAddress("evm", delegatedTo, target) ?', "true ?"]
  ),
  of(
    `${src}/execution/operator/closePaid.ts`,
    ["if (!afterFunds.has(swap.state))", "if (false)"],
    ["asAgreed && paid.amount >= owed.amount", "asAgreed"],
    ["const asAgreed = inPlace && same", "const asAgreed = same"],
    ['if (outcome._tag === "Dead") continue', "if (true) continue"],
    ["if (!payment.inFull && reason === undefined)", "if (false)"]
  ),
  of(
    `${src}/execution/operator/failUncollected.ts`,
    ["if (!beforeFunds.has(swap.state))", "if (false)"],
    ['(yield* chain.observe(job, attempts))._tag !== "Dead"', "false"],
    ['if (found._tag === "Never") return found', "if (true) return found"]
  )
]
