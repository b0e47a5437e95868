/** Faults of execution: what is signed, stored, sent and watched. */
import { mutantsFoundBy as foundBy } from "../../testing/mutant.ts"

const src = "packages/service/src"
const tests = "packages/service/test"

export const execution = [
  foundBy(`${tests}/execution/Executor.test.ts`, `${src}/execution/stateMachine.ts`, [
    "delivery_prepared: sendDelivery",
    "delivery_prepared: watchDelivery"
  ]),
  foundBy(`${tests}/execution/losses.test.ts`, `${src}/execution/transactions/sendAndWatch.ts`, [
    "failed === undefined || landed?.cancels === true",
    "failed === undefined"
  ]),
  foundBy(
    `${tests}/execution/sendAndWatch.test.ts`,
    `${src}/execution/transactions/sendAndWatch.ts`,
    ["return later(yield* excluded(worker, swap, kind))", "return later(swap)"],
    ["batch === undefined || batch.nonce !== newest.nonce", "batch === undefined"]
  ),
  foundBy(`${tests}/execution/batches.test.ts`, `${src}/execution/transactions/sendAndWatch.ts`, [
    "if (!isBatch) return yield* change(",
    "if (true) return yield* change("
  ]),
  foundBy(`${tests}/execution/sendAndWatch.test.ts`, `${src}/execution/steps/stepActions.ts`, [
    "if ((yield* Clock.currentTimeMillis) < (heldUntil.get(id) ?? 0)) return",
    "if (true) return"
  ]),
  foundBy(
    `${tests}/execution/batches.test.ts`,
    `${src}/execution/transactions/signAndStore.ts`,
    ["others.slice(0, count - 1)", "others.slice(0, count)"],
    ["draft.shares !== undefined && !isAlone &&", "draft.shares !== undefined &&"]
  ),
  foundBy(
    `${tests}/execution/batches.test.ts`,
    `${src}/execution/steps/destination.ts`,
    ["if (yield* isTooOld(worker, swap)) return", "if (false) return"],
    ["worthDelivering(swap, price.success, quotes)", "true"]
  ),
  foundBy(
    `${tests}/execution/settleOrRefund.test.ts`,
    `${src}/execution/steps/destination.ts`,
    ['if (result._tag === "Exceeded") return undefined', 'if (result._tag === "Exceeded") return swap'],
    ['if (code === "ALREADY_DONE")', "if (false)"],
    ["({ length }) => length > 0", "({ length }) => length > 1"]
  ),
  foundBy(
    `${tests}/execution/Executor.test.ts`,
    `${src}/execution/steps/destination.ts`,
    ['why === "reverted" && deliveries >= maxDeliveries', "false"],
    ["cancel: () => isTooOld(worker, swap)", "cancel: () => Effect.succeed(false)"]
  ),
  foundBy(
    `${tests}/execution/origin.test.ts`,
    `${src}/execution/steps/origin.ts`,
    ['code === "ALREADY_DONE" || (swap.operation', "(swap.operation"],
    ['(late || code === "OPERATION_EXPIRED")', 'code === "OPERATION_EXPIRED"'],
    ['!swap.reserved && reason?.code !== "ALREADY_DONE"', "!swap.reserved"]
  ),
  foundBy(`${tests}/execution/batches.test.ts`, `${src}/execution/steps/origin.ts`, [
    "Math.max(deadlineOf(swap), ...members.map(deadlineOf))",
    "deadlineOf(swap)"
  ]),
  foundBy(
    `${tests}/execution/settleOrRefund.test.ts`,
    `${src}/execution/steps/settleOrRefund.ts`,
    ['if (unclear?._tag !== "Unclear") return undefined', "if (true) return undefined"],
    ["[back, out].find(", "[back].find("],
    ["const external = yield* settledExternally(worker, swap, true)", "const external = undefined"]
  ),
  foundBy(`${tests}/execution/Executor.test.ts`, `${src}/execution/steps/settleOrRefund.ts`, [
    'if (out._tag === "Done") return',
    "if (false) return"
  ]),
  foundBy(
    `${tests}/execution/relayerLanes.test.ts`,
    `${src}/execution/transactions/chooseRelayer.ts`,
    ["pendingOf(key) > expense.balance", "false"],
    ["lane.expenses.add(expense)", ""],
    ["lane?.retiredAt !== undefined", "false"],
    ["if (nonce > firstUnknown(key)) lane.uncounted.set(nonce - 1, cost)", ""],
    ["lane.uncounted.set(nonce, expense?.cost ?? 0n)", ""]
  ),
  foundBy(
    `${tests}/execution/batchQueue.test.ts`,
    `${src}/execution/transactions/batchQueue.ts`,
    ["?.slice(0, maxBatch)", ""],
    ['({ job: { draft } }) => draft.shares ?? ""', '() => ""'],
    ["waiting.filter((one) => !taken.has(one))", "waiting"]
  ),
  foundBy(
    `${tests}/execution/losses.test.ts`,
    `${src}/execution/steps/losses.ts`,
    ["members.length > 1 ? gas / BigInt(members.length) : gas", "0n"],
    ["!isLate(operation, time ?? at / 1000)", "true"],
    ['code !== "VAULT_PAUSED" && !tokenPaused', "true"],
    ['CoreChain.sameAddress("evm", delegatedTo, target) ?', "true ?"]
  ),
  foundBy(
    `${tests}/execution/operatorChange.test.ts`,
    `${src}/execution/operator/closePaid.ts`,
    ["if (!afterFunds.has(swap.state))", "if (false)"],
    ["asAgreed && paid.amount >= owed.amount", "asAgreed"],
    ["const asAgreed = inPlace && same", "const asAgreed = same"],
    ['if (outcome._tag === "Dead") continue', "if (true) continue"],
    ["if (!payment.inFull && reason === undefined)", "if (false)"]
  ),
  foundBy(
    `${tests}/execution/operatorChange.test.ts`,
    `${src}/execution/operator/failUncollected.ts`,
    ["if (!beforeFunds.has(swap.state))", "if (false)"],
    ['(yield* chain.observe(job, attempts))._tag !== "Dead"', "false"],
    ['if (found._tag === "Never") return found', "if (true) return found"]
  )
]
