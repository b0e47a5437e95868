/** Faults of limits: rates, losses, caps and what is in flight. */
import { mutantsFoundBy as foundBy, mutantsOf as of } from "../../testing/mutant.ts"

const src = "packages/service/src"
/** The tests of the store run with its engines, which are in the server. */
const storeTests = "apps/server/test/storage/SqlStore.test.ts"

export const limits = [
  of(
    `${src}/admission/paymentMethods.ts`,
    ["gasOf(ofHour) >= budget", "false"],
    ["gasOf(ofHour.filter((lost) => lost.account === account)) * accountShare >= budget", "false"],
    ["gasOf(ofVisitor) * visitorShare >= budget", "false"],
    [".length >= limits.strikes)", ".length > limits.strikes)"],
    ["struck.size >= payments.limits.strikesPerTarget", "false"],
    ["const hour = now - (now % hourMillis)", "const hour = now"],
    ["return returnsToWallet(query)", "return true"],
    ["allowance === undefined || allowance >= query.amount", "true"],
    ['if (delegation !== "foreign") return', "if (true) return"],
    ["isSigned ? readWallet(origin, wallet) : origin.delegationOf(wallet)", "origin.delegationOf(wallet)"]
  ),
  of(`${src}/admission/readClaims.ts`, ["blocks.get(keyOf(resource)) ?? 0n", "0n"]),
  of(
    `${src}/admission/resources.ts`,
    ["  input,\n  approval,", "  approval,"],
    ["  output,\n  vault,", "  output,"],
    ["  refund,\n  collectGas,", "  collectGas,"],
    ["  collectGas,\n  deliverGas,\n  refundGas", "  collectGas,\n  deliverGas"],
    ["amount: whole, limit:", "amount: 0n, limit:"],
    ["funds.amount > rests ? funds.amount - rests : 0n", "funds.amount"],
    ['(operation._tag === "evm" ? operation.vault : undefined) ?? origin.vault', "origin.vault"],
    ["(deliveryGas * 5n) / 4n", "deliveryGas"],
    ["fixed(BigInt(origin.exposure[limit]))", "fixed(whole)"]
  ),
  foundBy(
    storeTests,
    `${src}/domain/Claim.ts`,
    ['  settled: "delivery",\n', ""],
    ['delivery_sent: ["collection"]', 'delivery_sent: ["collection", "delivery"]'],
    ['refund_prepared: ["collection", "delivery"]', 'refund_prepared: ["collection", "delivery", "refund"]'],
    ['"approval", "output", "refund", "gas"]', '"approval", "refund", "gas"]']
  ),
  foundBy(
    storeTests,
    `${src}/store/acceptance/claimTotals.ts`,
    ["amount: before + sign", "amount: sign"],
    ["(before.get(keyOf(total)) ?? 0n) + total.amount", "total.amount"]
  ),
  of(
    `${src}/accounts/RateLimits.ts`,
    ["(held.get(caller) ?? 0) >= most", "(held.get(caller) ?? 0) > most"],
    ["if (count > 0) held.set(caller, count)", "if (false) held.set(caller, count)"],
    ['common.take("", operation)', "common.take(caller, operation)"]
  ),
  of(
    `${src}/accounts/tokenBuckets.ts`,
    ["if (missing > whole)", "if (missing > whole + interval)"],
    ["((now - used.at) * part) / million", "now - used.at"],
    ["const ours = (bucket.whole * part) / million", "const ours = bucket.whole"],
    ["return missing > 0n ? missing : 0n", "return missing"],
    ["track(bucket, caller, { missing, at: now })", ""]
  ),
  of(
    `${src}/accounts/divideLimit.ts`,
    ["Math.min(own, equal) / limit", "own / limit"],
    ["left -= demand", ""],
    ["(own + left / wanted.length) / limit", "(own + left) / limit"]
  ),
  foundBy(
    "apps/server/test/replicas/sharedLimits.test.ts",
    `${src}/accounts/LimitShares.ts`,
    ["Math.min(granted, use.granted ?? 0)", "granted"],
    ["uses.get(key)?.part ?? 1 / replicas", "uses.get(key)?.part ?? 1"]
  )
]
