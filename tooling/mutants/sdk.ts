/**
 * Faults of the SDK that a test must find: in the verification of what is signed, in the policy and its budgets, in the
 * recovery of swaps, and in the proof of how they ended. `find` occurs once in the file.
 */

import { type Mutant, mutantsOf as of } from "../testing/mutant.ts"

const verification = [
  of(
    "packages/core/src/Operation.ts",
    ["signed.chainId === request.originChain", "true"],
    ['sameAddress("evm", signed.wallet, request.walletAddress)', "true"],
    ['sameAddress("evm", signed.token, request.inputToken)', "true"],
    ["signed.amount === request.amount", "signed.amount >= request.amount"],
    ['vault === undefined || sameAddress("evm", signed.vault, vault)', "true"],
    ["signed.deadline <= now + most", "true"],
    ["deployment === undefined || pinned !== undefined", "true"],
    [' && sameAddress("evm", recipient ?? walletAddress, walletAddress)', ""],
    ["nonce >> 64n === permit2Nonces >> 64n", "nonce >= 0n"],
    ['["deadline", payment.deadline > now,', '["deadline", true,'],
    ['payment.method !== "erc2612" || payment.amount < max("evm")', "true"]
  ),
  of(
    "packages/core/src/programs/verifyAndSign.ts",
    ["return deadline > now", "return deadline > 0"],
    ['geoOp === undefined && verification === "required"', "false"],
    ["payment?.method === paymentMethod && payment !== undefined", "payment !== undefined"],
    [" && messageOf(signed) === messageOf(unsigned)", ""],
    ["if (!isHex(signature, 65)) return", "if (false) return"]
  ),
  of(
    "packages/signer-evm/src/internal/verifyOperation.ts",
    ["if (terms !== lower(geoOp.terms))", "if (false)"],
    ["if (terms !== lower(payment.terms))", "if (false)"],
    ["const digest = hashOperation(geoOp)", "const digest = lower(geoOpHash)"],
    ["const digest = hashPayment(payment, keccak256)", "const digest = lower(geoOpHash)"],
    ["isAddress && Delegation.isZeroAddress(address)", "false"],
    ["word === 0n ||", ""],
    ['Chain.sameAddress("evm", walletAddress, wallet)', "true"]
  ),
  of("packages/signer-evm/src/internal/verifyDelegateCode.ts", ["found !== pinned.toLowerCase()", "false"]),
  of("packages/signer-evm/src/internal/verifyPaymentOnChain.ts", ["separator.toLowerCase() !== expected", "false"]),
  of(
    "packages/signer-solana/src/internal/transactionAllowList.ts",
    ["feePayer !== wallet && (", "("],
    ["instructions.length === 4", "instructions.length >= 4"],
    ["amount === expected.amount", "true"],
    ['["terms", found === terms,', '["terms", true,'],
    ["seen.size === 8 ||", "true ||"],
    ["expected.get(address) !== rights", "false"]
  ),
  of(
    "packages/signer-solana/src/internal/lookupTables.ts",
    ["table.programAddress !== lookupTableProgram", "false"],
    ["rpc === undefined", "false"]
  )
]

const policy = [
  of(
    "packages/core/src/Policy.ts",
    ["if (minimum < allowed) {", "if (false) {"],
    ["least !== undefined && minimum < least", "false"],
    ["maxFee !== undefined && !(feeBps <= maxFee)", "false"],
    ["if (!(slippageBps <= most))", "if (false)"],
    ["if (chains && !chains.includes(chainId))", "if (false)"],
    ["recipients?.every((allowed) => !", "recipients?.every((allowed) => false && !"],
    ["if (answer === true) return", "if (answer !== undefined) return"],
    ["minimum === 0n || minimum > output", "false"],
    ["(costs.total?.bps ?? Infinity) <= maxCost", "(costs.total?.bps ?? 0) <= maxCost"]
  ),
  of(
    "packages/core/src/quote/costs.ts",
    ["const bps = -priceImpactBps", "const bps = Math.round(-priceImpactBps)"],
    ["stated.error <= usdError", "false"],
    ["Math.abs(difference - stated.usd) <= usdError + stated.error", "true"],
    ["Math.abs(whole - part) <= error", "false"],
    ["const known = feeBps + networkBps", "const known = feeBps"],
    ["(total?.bps ?? Infinity) < highCostBps", "(total?.bps ?? 0) < highCostBps"],
    ["code === highCostWarning", "false"]
  ),
  of(
    "packages/core/src/quote/risk.ts",
    ["(atRisk - 1n) * 10_000n + output - 1n", "atRisk * 10_000n"],
    ["Math.max(slippageBps, quoted)", "slippageBps"]
  ),
  of(
    "packages/core/src/store/spending.ts",
    ["if (amount > rest)", "if (amount > rest + 1n)"],
    ["at > now - windows[window]", "at > now - windows[window] / 2"],
    ["Math.max(now, own?.at ?? now)", "now"],
    ["released.reduce((total, { amount }) => total - amount, spent.total)", "spent.total"]
  ),
  of("packages/core/src/programs/budget.ts", ["one.limits.length === 0", "false"], ["reserved = result", ""]),
  of(
    "packages/core/src/store/wallet.ts",
    ["|| id.startsWith(`${flowId}.`)", ""],
    ["from === undefined || nextStates[from].includes(state)", "true"],
    ["busy === false ||", ""]
  ),
  of(
    "packages/core/src/programs/acceptedQuote.ts",
    ["minOutput !== undefined && minOutputOf(offered) < minOutput", "false"],
    ['policy.verification === "required" && offered.minOutput === undefined', "false"],
    ["now - receivedAt > lifetimeMillis - quoteMargin", "false"]
  ),
  of(
    "packages/core/src/programs/requote.ts",
    ["minOutputOf(offered) >= accepted.minimum", "true"],
    ["!weakensMinimum(previous, offered) &&", ""],
    [
      "return { ...allowed, minimum: accepted.minimum, requotes }",
      "return { ...allowed, minimum: minOutputOf(offered), requotes }"
    ]
  )
]

const recovery = [
  of(
    "packages/core/src/programs/signatureIdentity.ts",
    ["operation.nonce === other.operation.nonce &&", ""],
    ['sameAddress("evm", operation.delegate, other.operation.delegate)', "true"],
    ['payment.method !== "erc2612" &&', ""],
    ['payment ? payment.method === "permit2" : operation !== undefined', "true"]
  ),
  of(
    "packages/core/src/programs/flows.ts",
    ['stored?.state !== (number === 1 ? "signing" : "signed")', "false"],
    ["if (blocked) return [wallet, blocked]", ""],
    ["if (isSwapError(spent)) return [wallet, spent]", "if (isSwapError(spent)) return [wallet, undefined]"],
    ['stored?.state === (signatures === 1 ? "signing" : "signed") &&', ""],
    [
      'if (earlier === undefined || (isStored && stored.state !== "signed")) return',
      "if (earlier === undefined) return"
    ],
    ["isReserved ? wallet.spent :", ""],
    ['stored?.state === "signing" ? discard(wallet, flow.id) : wallet', "discard(wallet, flow.id)"],
    ['stored?.state === "signed" ? without(wallet, flow.id) : wallet', "without(wallet, flow.id)"],
    ['state === "signing" && isOver ?', "isOver ?"],
    ["until <= now ||", "true ||"],
    ['{ ...stored, state: "resumed" }', "stored"],
    ["...withoutSubmission(stored), ...accepted", "...stored, ...accepted"],
    ["(stored?.swapId ?? swapId) === swapId", "true"]
  ),
  of(
    "packages/core/src/programs/openFlows.ts",
    ["if (swapId === undefined) return true", "if (swapId === undefined) return false"],
    ["claimed !== undefined &&\n    earlier.originChain", "false &&\n    earlier.originChain"],
    ["if (other !== undefined) {", "if (false) {"],
    ["flow.claimed !== undefined || isBusy", "isBusy"]
  ),
  of(
    "packages/core/src/programs/signedState.ts",
    ['states.every((state) => state === "expired")', 'states.some((state) => state === "expired")'],
    ["(yield* Clock.currentTimeMillis) < (deadline + 1) * 1000", "false"]
  ),
  of("packages/core/src/store/flow.ts", ['"\\0".repeat(length)', "bytes.slice(1, 1 + length)"]),
  of("packages/core/src/programs/resume.ts", ['state !== "expired" || !(yield*', 'state === "used" || !(yield*']),
  of(
    "packages/core/src/programs/finish.ts",
    ['if (state === "open") {', "if (false) {"],
    ['if (state === "used") {', "if (false) {"],
    ['trusts || swap.status === "settled" || isProved(swap)', "true"]
  ),
  of(
    "packages/core/src/programs/submitFlow.ts",
    ["if (unclear) clear = false", ""],
    ["if (other !== undefined) {", "if (false) {"]
  ),
  of(
    "packages/core/src/programs/attempt.ts",
    ["yield* ensureSafeToSignAgain(execution, operation, checked)", ""],
    ["reservation: trusts ? `${id}.${signatures}` : id", "reservation: id"],
    ["if (!clear || !live)", "if (!live)"]
  ),
  of("packages/core/src/programs/recover.ts", ["> agreementTimeout) {", "> Infinity) {"]),
  of("packages/core/src/programs/idempotentExecute.ts", ["known.requestHash !== requestHash", "false"])
]

const proof = [
  of(
    "packages/core/src/programs/proof.ts",
    ["amount > 0n && amount >= minimum", "amount > 0n"],
    ["since: signedAt - slackMillis", "since: 0"]
  ),
  of("packages/core/src/programs/agreedSwap.ts", [
    "refund && refund.amount <= input.amount ? refund : undefined",
    "refund"
  ]),
  of("packages/signer-evm/src/internal/operationState.ts", ["timestamp > deadline ?", "true ?"]),
  of(
    "packages/signer-evm/src/internal/payout.ts",
    ["number > (yield* finalizedBlock(call)).number", "number < 0n"],
    ["vaults.some((vault) => equals(address, vault)) &&", ""],
    ["|| timestamp * 1000 < query.since", ""]
  ),
  of("packages/signer-solana/src/internal/rpcMethods.ts", ["?.[1]) > maxVersion", "?.[1] ?? 2) >= 0"]),
  of(
    "packages/signer-solana/src/internal/payout.ts",
    ["if (!isCertain) return 0n", ""],
    ["landed.time < query.since", "false"]
  )
]

export const sdk: ReadonlyArray<Mutant> = [...verification, ...policy, ...recovery, ...proof].flat()
