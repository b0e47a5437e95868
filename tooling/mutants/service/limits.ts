/** Faults of limits: rates, losses, caps and what is in flight. */
import { mutantsFoundBy as foundBy } from "../../testing/mutant.ts"

const src = "packages/service/src"
const tests = "packages/service/test"
/** The tests of the store run with its engines, which are in the server. */
const server = "apps/server/test"

export const limits = [
  foundBy(
    `${server}/storage/SqlStore.test.ts`,
    `${src}/store/acceptance/decide.ts`,
    [".filter(({ kind }) => atRisk.includes(kind))", '.filter(({ kind }) => kind === "wallet value")'],
    ["(granted.get(keyOf(claim)) ?? 0n) + claim.amount)", "claim.amount)"]
  ),
  foundBy(
    `${tests}/chains/solana/priorityFee.test.ts`,
    `${src}/chains/solana/transactions/priorityFee.ts`,
    ["price > cap ? cap", "false ? cap"],
    ["price < floor ? floor", "false ? floor"],
    ["now - found.readAt < lifetimeMillis", "true"],
    ["price << BigInt(Math.min(tries, 64))", "price"]
  ),
  foundBy(`${tests}/chains/solana/priorityFee.test.ts`, `${src}/chains/solana/transactions/instructions.ts`, [
    " + openedBy(jobs) * openingUnits",
    ""
  ]),
  foundBy(
    `${tests}/admission/paymentMethods.test.ts`,
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
    ["isSigned ? origin.walletState(wallet) : origin.delegationOf(wallet)", "origin.delegationOf(wallet)"]
  ),
  foundBy(`${tests}/admission/readClaims.test.ts`, `${src}/admission/readClaims.ts`, [
    "blocks.get(keyOf(resource)) ?? 0n",
    "0n"
  ]),
  foundBy(
    `${tests}/admission/readClaims.test.ts`,
    `${src}/admission/resources.ts`,
    ["  input,\n  approval,", "  approval,"],
    ["  output,\n  vault,", "  output,"],
    ["  refund,\n  collectGas,", "  collectGas,"],
    ["  collectGas,\n  deliverGas,\n  refundGas", "  collectGas,\n  deliverGas"],
    ["amount: whole, limit:", "amount: 0n, limit:"],
    ["funds.amount > rests ? funds.amount - rests : 0n", "funds.amount"],
    ['operation._tag === "evm" ? operation.vault : origin.vault', "origin.vault"],
    ["(deliveryGas * 5n) / 4n", "deliveryGas"],
    ["fixed(BigInt(origin.exposure[limit]))", "fixed(whole)"]
  ),
  foundBy(
    `${server}/storage/SqlStore.test.ts`,
    `${src}/domain/Claim.ts`,
    ['  settled: "delivery",\n', ""],
    ['delivery_sent: ["collection"]', 'delivery_sent: ["collection", "delivery"]'],
    ['refund_prepared: ["collection", "delivery"]', 'refund_prepared: ["collection", "delivery", "refund"]'],
    ['"approval", "output", "refund", "gas"]', '"approval", "refund", "gas"]']
  ),
  foundBy(
    `${server}/storage/SqlStore.test.ts`,
    `${src}/store/acceptance/claimTotals.ts`,
    ["amount: before + sign", "amount: sign"],
    ["(before.get(keyOf(total)) ?? 0n) + total.amount", "total.amount"]
  ),
  foundBy(
    `${tests}/accounts/RateLimits.test.ts`,
    `${src}/accounts/RateLimits.ts`,
    ["(held.get(caller) ?? 0) >= most", "(held.get(caller) ?? 0) > most"],
    ["if (count > 0) held.set(caller, count)", "if (false) held.set(caller, count)"],
    ['common.take("", operation)', "common.take(caller, operation)"]
  ),
  foundBy(
    `${tests}/accounts/RateLimits.test.ts`,
    `${src}/accounts/tokenBuckets.ts`,
    ["if (missing > whole)", "if (missing > whole + interval)"],
    ["((now - used.at) * part) / million", "now - used.at"],
    ["const ours = (bucket.whole * part) / million", "const ours = bucket.whole"],
    ["return missing > 0n ? missing : 0n", "return missing"],
    ["remember(bucket.used, caller, { missing, at: now }, maxCallers)", ""]
  ),
  foundBy(
    `${tests}/accounts/divideLimit.test.ts`,
    `${src}/accounts/divideLimit.ts`,
    ["Math.min(own, equal) / limit", "own / limit"],
    ["left -= demand", ""],
    ["(own + left / wanted.length) / limit", "(own + left) / limit"]
  ),
  foundBy(
    `${server}/replicas/sharedLimits.test.ts`,
    `${src}/accounts/LimitShares.ts`,
    ["Math.min(granted, use.granted ?? 0)", "granted"],
    ["uses.get(key)?.part ?? 1 / replicas", "uses.get(key)?.part ?? 1"]
  )
]
