/**
 * Faults of the service that a test must find. Each of them could lose money, execute a swap twice, accept too much, reveal
 * another account's data or break idempotency.
 */
import { type Mutant, mutantsFoundBy as foundBy, mutantsOf as of } from "../testing/mutant.ts"

const src = "packages/service/src"
/** The tests of the store run with its engines, which are in the server. */
const storeTests = "apps/server/test/storage/SqlStore.test.ts"

const acceptance = [
  of(
    `${src}/calls/submit.ts`,
    ["found.value.accountId === account && found.value.operationHash === operationHash", "true"],
    ["(yield* Clock.currentTimeMillis) >= context.until", "false"],
    ["existing(store.swapOfExpiredOrder, account, context)", "existing(store.swapOfOrder, account, context)"],
    ["`${account} ${quote.orderId} ${operationHash}`", "`${account} ${quote.orderId}`"],
    ['if (!CoreChain.sameAddress("evm", ready.delegate, operation.delegate))', "if (false)"]
  ),
  of(
    `${src}/admission/deliverable.ts`,
    ["if (!worthDelivering(quote, price, quotes))", "if (false)"],
    ["if (needed * 100n <= deliveryGas * (100n + moreGasPercent)) return", "if (true) return"]
  ),
  of(
    `${src}/admission/admitSwap.ts`,
    ["      checkDelivery(destination, quote),\n", ""],
    ["      checkPrice(admission, quote),\n", ""],
    ["store.accept(swap, { claims, until })", "store.accept(swap, { claims })"],
    ["yield* read(notBefore(acceptance.since)).pipe(", "yield* read(anyBlock).pipe("],
    ["...(visitor !== undefined && { visitor }),", ""]
  ),
  of(
    `${src}/admission/admitPayment.ts`,
    ["{ isSigned: true }", "{}"],
    ["{ ...operation, vault }, simulation)", "{ ...operation, vault })"],
    ["...(target !== undefined && { target: target.toLowerCase() })", ""]
  ),
  of(
    `${src}/operations/verifySignature.ts`,
    ["if (hexToBigInt(parsed.s) > halfOrder)", "if (false)"],
    ["if (!/(1b|1c)$/i.test(signature))", "if (false)"],
    ["recover(digest as Hex, parsed)", "Effect.succeed(wallet)"],
    ["recover(hashMessage({ raw: digest as Hex }), parsed)", "Effect.succeed(wallet)"],
    ["if ((permitSignature === undefined) !== (permitHash === undefined))", "if (false)"],
    ["yield* checkDigest(permitHash, permitSignature, wallet, howTo.permit)", ""],
    ["Effect.as({ signature, isTyped: true })", "Effect.as({ signature, isTyped: false })"]
  ),
  of(
    `${src}/operations/verifyAuthorization.ts`,
    ["chainId !== expected.chainId", "false"],
    ['!Chain.sameAddress("evm", address, expected.delegate)', "false"],
    ["nonce !== expected.nonce", "false"],
    ["BigInt(s) > halfOrder", "false"],
    ['Chain.sameAddress("evm", signer, expected.wallet) ? undefined :', "true ? undefined :"]
  ),
  of(
    `${src}/chains/solana/SolanaTransaction.ts`,
    ["!isSame(given.message, message)", "false"],
    ["!(yield* isSignedBy(wallet, signature, message))", "false"]
  ),
  of(
    `${src}/store/acceptance/decide.ts`,
    ["(own.get(key) ?? 0n) + amount", "amount"],
    ['kind === "refund" ? ([kind, "vault"] as const) : [kind]', "[kind]"]
  ),
  foundBy(
    storeTests,
    `${src}/store/acceptance/decide.ts`,
    ["used + claimed > limit.amount", "used > limit.amount"],
    ["usage !== undefined && limit.block < usage.since", "false"],
    [" && existing.operationHash === swap.operationHash", ""],
    ["existing.accountId === swap.accountId && ", ""],
    ["if (facts.nonceUsed || (", "if (("],
    ["nonces.has(nonce)", "false"],
    ["if (now >= until)", "if (false)"],
    ["for (const claim of claims) grant(granted, claim)", ""],
    ["orders.set(swap.orderId, swap)", ""]
  ),
  foundBy(
    storeTests,
    `${src}/store/acceptance/acceptSwap.ts`,
    ["if (denial !== undefined) return denial", "if (false) return denial"],
    [" AND lease_owner = ${owner}", ""],
    ["claimColumns, rows)", "claimColumns, [])"]
  ),
  foundBy(
    storeTests,
    `${src}/store/acceptance/operationIndices.ts`,
    ["turnFrom(next).filter((index) => !isIn(used, index))", "turnFrom(next)"],
    ["unused.find((one) => !taken.has(one))", "unused[0]"]
  ),
  foundBy(storeTests, `${src}/store/acceptance/operationNonces.ts`, ["byNonce.get(operation_nonce) ?? []", "[]"]),
  foundBy(storeTests, `${src}/store/swaps/swapRows.ts`, ["swap.operation.nonce : null", "null : null"]),
  ...[storeTests, "apps/server/test/storage/Postgres.test.ts"].map((tests) =>
    foundBy(
      tests,
      `${src}/store/acceptance/facts.ts`,
      ["same.operation_nonce = given.operation_nonce AND same.state <> 'failed'", "false"],
      ["one.from_block > given.block", "one.from_block >= given.block"],
      ["(one.until_block IS NULL OR one.until_block > given.block)", "one.until_block IS NULL"]
    )
  )
]

const limits = [
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

const execution = [
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

const proof = [
  of(
    `${src}/chains/quorum.ts`,
    ["Math.floor(rpcUrls.length / 2) + 1", "Math.floor(rpcUrls.length / 2)"],
    ["responses.answers.length < quorumOf(chain)", "false"],
    ["summaryOf(outcome))).size > 1", "summaryOf(outcome))).size > 9"],
    ["outcome !== undefined && terminal.length >= quorum", "outcome !== undefined"],
    ["terminal.every(({ height }) => view.height < height)", "true"],
    ["Done by ${outcome.hash} in block ${outcome.block}", "Done by ${outcome.hash}"],
    ["[quorum - 1]", "[0]"],
    ['(supported ?? terminal.find((one) => whyOf(one) !== "reverted") ?? terminal[0])', "terminal[0]"]
  ),
  of(
    `${src}/chains/evm/proof/finality.ts`,
    ["latest - BigInt(confirmations) + 1n", "latest"],
    ["- BigInt(confirmations) + 1n", "- BigInt(confirmations) + 2n"]
  ),
  of(
    `${src}/chains/evm/proof/collection.ts`,
    ["block > final.number ? {", "false ? {"],
    ["final.timestamp > deadline", "true"],
    ["if (!complete) {", "if (false) {"],
    ["collected.length >= quorum", "true"],
    ["if (!others.every(isBehind)) return", "if (false) return"],
    ["lowest !== undefined && never.length >= quorum", "lowest !== undefined"],
    ['views.some(({ collection }) => collection._tag === "Included")', "false"]
  ),
  of(`${src}/chains/evm/proof/collectionFailure.ts`, [
    "answers.every(({ value }) => value !== undefined)",
    "answers.some(({ value }) => value !== undefined)"
  ]),
  of(
    `${src}/chains/evm/proof/externalSettlement.ts`,
    ["event.blockNumber > final\n", "false\n"],
    ["answers.length >= quorum && !answers.some", "!answers.some"],
    ["answers.length >= quorum && !answers.some(({ value }) => value)", "answers.length >= quorum"],
    ["values.length < quorum ?", "false ?"],
    ["areBehind && values.length - others.length >= quorum", "areBehind"],
    ["if (areBehind && values", "if (values"],
    ['views.find(({ settlement }) => settlement._tag === "Unclear") ??', ""]
  ),
  of(
    `${src}/chains/evm/proof/paymentProof.ts`,
    ["if (!vaults.includes(address.toLowerCase() as Address)) return", "if (false) return"],
    ["if (swapId !== orderId.toLowerCase()) return", "if (false) return"],
    ["if (receipt.blockNumber > final)", "if (false)"],
    ["block.hash !== receipt.blockHash", "false"],
    ["paid.length >= quorum &&", ""],
    [".size === 1", ".size >= 1"]
  ),
  of(
    `${src}/chains/evm/proof/reorgs.ts`,
    ["receipt.logs.some((log) => isEvent(event, log))", "true"],
    ["if (receipt.blockNumber > finalOf(config, latest)) return", "if (false) return"],
    ['hash === receipt.blockHash ? "final"', 'true ? "final"']
  ),
  of(
    `${src}/chains/evm/transactions/observeNode.ts`,
    ['({ stands, succeeded }) => stands === "final" && succeeded)', "({ succeeded }) => succeeded)"],
    ["if (yield* canStillLand(node, attempts, seen, latest)) return", "if (false) return"],
    ['of ["latest", finalOf(config, latest)] as const', 'of ["latest"] as const'],
    ["(attempt.nonce ?? Infinity) >= next", "(attempt.nonce ?? Infinity) > next"],
    ["return event.blockNumber > finalOf(config, latest)", "return false"],
    ["if (!complete && !(yield* isUnused(node, vault, job, latest)))", "if (false)"]
  ),
  of(`${src}/chains/evm/transactions/observeQuorum.ts`, ["count === 1 || !isTerminal(outcome)", "true"]),
  of(
    `${src}/chains/evm/transactions/vaultCalls.ts`,
    ["BigInt(log.data) >= job.amount &&", ""],
    ["const text = (log: Event) => [log.address, ...", "const text = (log: Event) => [..."]
  ),
  of(
    `${src}/chains/evm/nodes/searchLogs.ts`,
    ["complete: to < 0n", "complete: true"],
    ["found !== undefined || timestamp * 1000 < since", "true"]
  ),
  of(`${src}/chains/evm/nodes/nodeQuorum.ts`, ["quorum: Quorum.quorumOf(config)", "quorum: 1"]),
  of(
    `${src}/chains/solana/transactions/observe.ts`,
    ["transaction[0] !== raw", "false"],
    ["(meta.err === null) !== (err === null)", "false"],
    ["(yield* isProven(context, job, attempt, meta))", "true"],
    ["finalHeight > lastValidBlockHeight", "finalHeight >= lastValidBlockHeight"],
    ["expired && (yield* isStillValid(node, last, absoluteSlot))", "false"],
    ['seen.some(({ fate }) => fate._tag === "Waiting")', "false"],
    ['fate._tag !== "Reverted" || isBatch(attempt)', 'fate._tag !== "Reverted"'],
    ['fate._tag === "Expired" ? [attempt] : []', "[]"],
    ["nodes.all.length === 1 || !isTerminal(first.outcome)", "true"]
  ),
  of(
    `${src}/chains/solana/proof/balanceProof.ts`,
    ["return growth === due", "return growth !== undefined && growth >= due"],
    ["amount === job.amount && memo === memoOf(job)", "amount === job.amount"],
    ["each.accountIndex === accountIndex && each.mint === mint", "each.accountIndex === accountIndex"],
    ["(to === vault || (isNative(job.token) && to === context.relayer.address))", "true"],
    ["after - (amountIn(preTokenBalances) ?? 0n)", "after"]
  ),
  of(
    `${src}/chains/solana/proof/nodeHistory.ts`,
    ["Number(seconds) * 1000 <= millis - slackMillis", "true"],
    ["if (first === undefined) return false", "if (first === undefined) return true"],
    ["if (first > 0n) return first", "if (true) return first"],
    ["if (blockHeight <= absoluteSlot - first + 1n) return true", "if (true) return true"]
  ),
  of(
    `${src}/chains/solana/nodes/statuses.ts`,
    ["answer.context.slot < slot", "false"],
    ["answer.value.length === signatures.length", "true"]
  )
]

const refunds = [
  of(
    `${src}/execution/steps/destination.ts`,
    ["atFault && amount > networkCost", "amount > networkCost"],
    [
      "destination.recipientAtFault(job, reverted), () => false",
      "destination.recipientAtFault(job, reverted), () => true"
    ]
  ),
  of(`${src}/execution/steps/settleOrRefund.ts`, ["paid ?? swap.refundAmount ?? swap.amount", "swap.amount"]),
  of(
    `${src}/execution/steps/swapJobs.ts`,
    ["amount: refundAmount ?? amount", "amount"],
    ['signed ?? (kind === "refund" ? collectOf(swap).vault : undefined)', "signed"],
    ['kind === "deliver" ? "deliver" : "collect"', '"deliver"']
  ),
  of(
    `${src}/chains/evm/proof/recipientFault.ts`,
    ["recipientFails && !controlFails", "recipientFails"],
    ["answers.every(({ value }) => value)", "answers.some(({ value }) => value)"],
    ["(yield* reads.blockAt(number)).hash !== hash", "false"],
    ["reverted === undefined ? fails(job.to) : hasCode", "fails(job.to)"]
  ),
  of(
    `${src}/chains/solana/proof/recipientFault.ts`,
    ["fails && ours.err === null", "fails"],
    ["answers.every(({ value }) => value)", "answers.some(({ value }) => value)"],
    ["theirs.slot !== ours.slot || (account !== undefined && account.slot !== ours.slot)", "false"],
    [" || account?.isTheirs === false", ""]
  )
]

const sealing = [
  of(
    `${src}/accounts/Seal.ts`,
    ["kid, environment, account]", "kid, environment]"],
    ["[type, family, kid,", "[type, kid,"],
    ["kid, environment, account]", "kid, account]"]
  ),
  of(
    `${src}/accounts/sealKeys.ts`,
    ["if (first !== index)", "if (false)"],
    ["Redacted.value(key).length !== keyLength", "false"]
  ),
  of(
    `${src}/accounts/sealedToken.ts`,
    ["prefix !== prefixes[type] || kid", "kid"],
    [" || more.length > 0", ""],
    ["if (text.length > maxLength) return", "if (false) return"]
  ),
  of(`${src}/accounts/base64url.ts`, ["bytes !== undefined && encode(bytes) === text", "bytes !== undefined"]),
  of(`${src}/operations/tokenContents.ts`, ["  deliveryGas: Schema.optionalKey(Amount.Amount)\n", ""]),
  of(
    `${src}/accounts/Accounts.ts`,
    ["sameText(yield* hashOf(Redacted.make(secret)), key?.hash ?? noHash)", "true"],
    ["key === undefined || key.revokedAt !== undefined", "key === undefined"],
    ["if (generation === revocations)", "if (true)"],
    ["entry !== undefined && now < entry.readAt + cacheTtlNanos", "entry !== undefined"],
    ["Mac.timingSafeEqual(encoder.encode(secret), cached.secret)", "true"]
  ),
  of(
    `${src}/calls/status.ts`,
    ["return known?.accountId === account ? known.view : undefined", "return known?.view"],
    ["known.accountId === account ? Effect.succeed(known.view) : notFound()", "Effect.succeed(known.view)"],
    ["swap.accountId === account ? Effect.succeed(view) : notFound()", "Effect.succeed(view)"]
  )
]

export const service: ReadonlyArray<Mutant> = [
  ...acceptance,
  ...limits,
  ...execution,
  ...proof,
  ...refunds,
  ...sealing
].flat()
