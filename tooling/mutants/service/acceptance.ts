/** Faults of what the service accepts: signatures, authorizations, claims and idempotency. */
import { mutantsFoundBy as foundBy } from "../../testing/mutant.ts"

const src = "packages/service/src"
const tests = "packages/service/test"
/** The tests of the store run with its engines, which are in the server. */
const server = "apps/server/test"

export const acceptance = [
  foundBy(
    `${tests}/calls/submit.test.ts`,
    `${src}/calls/submit.ts`,
    ["(found.accountId !== account || found.operationHash !== operationHash)", "false"],
    ["(yield* Clock.currentTimeMillis) >= context.until", "false"],
    ["existing(store.swapOfExpiredOrder, account, context)", "existing(store.swapOfOrder, account, context)"],
    ["`${account} ${context.quote.orderId} ${context.operationHash}`", "`${account} ${context.quote.orderId}`"],
    ['if (!CoreChain.sameAddress("evm", ready.delegate, operation.delegate))', "if (false)"]
  ),
  foundBy(
    `${tests}/calls/submit.test.ts`,
    `${src}/admission/deliverable.ts`,
    ["if (!worthDelivering(quote, price, quotes))", "if (false)"],
    ["if (needed * 100n <= deliveryGas * (100n + moreGasPercent)) return", "if (true) return"]
  ),
  foundBy(
    `${tests}/calls/submit.test.ts`,
    `${src}/admission/admitSwap.ts`,
    [" checkDelivery(destination, quote),", ""],
    [" checkPrice(admission, quote),", ""],
    ["store.accept(swap, { claims, until })", "store.accept(swap, { claims })"],
    ["yield* read(notBefore(acceptance.since)).pipe(", "yield* read(anyBlock).pipe("],
    ["...(visitor !== undefined && { visitor }),", ""]
  ),
  foundBy(
    `${tests}/calls/submit.test.ts`,
    `${src}/admission/admitPayment.ts`,
    ["{ isSigned: true }", "{}"],
    ["chain, operation, simulation)", "chain, operation)"],
    ["...(target !== undefined && { target: target.toLowerCase() })", ""]
  ),
  foundBy(
    `${tests}/operations/verifySignature.test.ts`,
    `${src}/operations/verifySignature.ts`,
    ["if (hexToBigInt(parsed.s) > halfOrder)", "if (false)"],
    ["if (isTyped && !/(1b|1c)$/i.test(signature))", "if (false)"],
    ["recover(digest, parsed)", "Effect.succeed(wallet)"],
    ["check(hashMessage({ raw: digest }), signature, wallet, howTo.operation, false)", "Effect.void"],
    ["if ((permitSignature === undefined) !== (permitHash === undefined))", "if (false)"],
    ["yield* check(permitHash as Hex, permitSignature, wallet, howTo.permit)", ""],
    ["Effect.as(true)", "Effect.as(false)"]
  ),
  foundBy(
    `${tests}/operations/verifyAuthorization.test.ts`,
    `${src}/operations/verifyAuthorization.ts`,
    ["chainId !== expected.chainId", "false"],
    ['!Chain.sameAddress("evm", address, expected.delegate)', "false"],
    ["nonce !== expected.nonce", "false"],
    ["BigInt(s) > halfOrder", "false"],
    ['Chain.sameAddress("evm", signer, expected.wallet) ? undefined :', "true ? undefined :"]
  ),
  foundBy(
    `${tests}/chains/solana/SolanaTransaction.test.ts`,
    `${src}/chains/solana/SolanaTransaction.ts`,
    ["!isSame(given.message, message)", "false"],
    ["!(yield* isSignedBy(wallet, signature, message))", "false"]
  ),
  foundBy(
    `${tests}/store/decide.test.ts`,
    `${src}/store/acceptance/decide.ts`,
    ["(own.get(key) ?? 0n) + amount", "amount"],
    ['kind === "refund" ? ([kind, "vault"] as const) : [kind]', "[kind]"],
    ["nonces.has(nonce)", "false"]
  ),
  foundBy(
    `${server}/storage/SqlStore.test.ts`,
    `${src}/store/acceptance/decide.ts`,
    ["used + claimed > limit.amount", "used > limit.amount"],
    ["usage !== undefined && limit.block < usage.since", "false"],
    [" && existing.operationHash === swap.operationHash", ""],
    ["existing.accountId === swap.accountId && ", ""],
    ["if (facts.nonceUsed || (", "if (("],
    ["if (now >= until)", "if (false)"],
    ["for (const claim of claims) grant(granted, claim)", ""],
    ["orders.set(swap.orderId, swap)", ""]
  ),
  foundBy(
    `${server}/storage/SqlStore.test.ts`,
    `${src}/store/acceptance/acceptSwap.ts`,
    ["if (denial !== undefined) return denial", "if (false) return denial"],
    [" AND lease_owner = ${owner}", ""],
    ["claimColumns, rows)", "claimColumns, [])"]
  ),
  foundBy(
    `${server}/storage/SqlStore.test.ts`,
    `${src}/store/acceptance/operationIndices.ts`,
    ["turnFrom(next).filter((index) => !isIn(used, index))", "turnFrom(next)"],
    ["unused.find((one) => !taken.has(one))", "unused[0]"]
  ),
  foundBy(`${server}/storage/SqlStore.test.ts`, `${src}/store/acceptance/operationNonces.ts`, [
    "byNonce.get(operationNonce) ?? []",
    "[]"
  ]),
  foundBy(`${server}/storage/SqlStore.test.ts`, `${src}/store/swaps/swapRows.ts`, [
    "swap.operation.nonce : null",
    "null : null"
  ]),
  ...["SqlStore", "Postgres"].map((engine) =>
    foundBy(
      `${server}/storage/${engine}.test.ts`,
      `${src}/store/acceptance/facts.ts`,
      ["same.operation_nonce = given.operation_nonce AND same.state <> 'failed'", "false"],
      ["one.from_block > given.block", "one.from_block >= given.block"],
      ["(one.until_block IS NULL OR one.until_block > given.block)", "one.until_block IS NULL"]
    )
  )
]
