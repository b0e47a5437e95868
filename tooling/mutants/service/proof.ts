/** Faults of what nodes prove, and finality. */
import { mutantsFoundBy as foundBy } from "../../testing/mutant.ts"

const src = "packages/service/src"
const tests = "packages/service/test"

export const proof = [
  foundBy(
    `${tests}/chains/evm/finality.test.ts`,
    `${src}/chains/evm/proof/finality.ts`,
    ["atRiskUsd <= upToUsd) ?? last", "true) ?? last"],
    ["atRiskUsd = Infinity", "atRiskUsd = 0"],
    ["latest.number - BigInt(depth.blocks) + 1n", "latest.number"],
    ["- BigInt(depth.blocks) + 1n", "- BigInt(depth.blocks) + 2n"],
    ["const time = latest.timestamp - seconds", "const time = latest.timestamp"]
  ),
  foundBy(
    `${tests}/chains/quorum.test.ts`,
    `${src}/chains/quorum.ts`,
    ["Math.floor(rpcUrls.length / 2) + 1", "Math.floor(rpcUrls.length / 2)"],
    ["responses.answers.length < quorumOf(chain)", "false"],
    ["if (first.answers.length >= enough) return first", "return first"],
    ["summaryOf(outcome))).size > 1", "summaryOf(outcome))).size > 9"],
    ["outcome !== undefined && terminal.length >= quorum", "outcome !== undefined"],
    ["terminal.every(({ height }) => view.height < height)", "true"],
    ["Done by ${outcome.hash} in block ${outcome.block}", "Done by ${outcome.hash}"],
    ["[quorum - 1]", "[0]"],
    ['(supported ?? terminal.find((one) => whyOf(one) !== "reverted") ?? terminal[0])', "terminal[0]"]
  ),
  foundBy(
    `${tests}/chains/evm/collection.test.ts`,
    `${src}/chains/evm/proof/collectionProof.ts`,
    ["block > final.number ? {", "false ? {"],
    ["if (!complete) {", "if (false) {"],
    ["collected.length >= quorum", "true"],
    ["if (!others.every(isBehind)) return", "if (false) return"]
  ),
  foundBy(
    `${tests}/chains/evm/proof.test.ts`,
    `${src}/chains/evm/proof/collectionProof.ts`,
    ["final.timestamp > deadline", "true"],
    ["lowest !== undefined && never.length >= quorum", "lowest !== undefined"],
    ['views.some(({ collection }) => collection._tag === "Included")', "false"]
  ),
  foundBy(`${tests}/chains/evm/failure.test.ts`, `${src}/chains/evm/proof/collectionFailure.ts`, [
    "answers.every(({ value }) => value !== undefined)",
    "answers.some(({ value }) => value !== undefined)"
  ]),
  foundBy(
    `${tests}/chains/evm/proof.test.ts`,
    `${src}/chains/evm/proof/externalSettlement.ts`,
    ["event.blockNumber > final\n", "false\n"],
    ["answers.length >= quorum && !answers.some", "!answers.some"],
    ["answers.length >= quorum && !answers.some(({ value }) => value.includes(true))", "answers.length >= quorum"],
    ["values.length < quorum ?", "false ?"],
    ["areBehind && values.length - others.length >= quorum", "areBehind"],
    ["if (areBehind && values", "if (values"],
    ["Unclear: 1", "Unclear: 0"]
  ),
  foundBy(
    `${tests}/chains/evm/payment.test.ts`,
    `${src}/chains/evm/proof/payoutProof.ts`,
    ["if (!vaults.includes(address.toLowerCase() as Address)) return", "if (false) return"],
    ["if (swapId !== orderId.toLowerCase()) return", "if (false) return"],
    ["if (receipt.blockNumber > final)", "if (false)"],
    ["block.hash !== receipt.blockHash", "false"],
    ["paid.length >= quorumOf(config) &&", ""],
    [".size === 1", ".size >= 1"]
  ),
  foundBy(
    `${tests}/chains/evm/faults.test.ts`,
    `${src}/chains/evm/proof/reorgs.ts`,
    ["receipt.logs.some((log) => isEvent(event, log))", "true"],
    ["if (receipt.blockNumber > final) return", "if (false) return"],
    ['hash === receipt.blockHash ? "final"', 'true ? "final"']
  ),
  foundBy(
    `${tests}/chains/evm/faults.test.ts`,
    `${src}/chains/evm/transactions/observeNode.ts`,
    ['({ stands, succeeded }) => stands === "final" && succeeded)', "({ succeeded }) => succeeded)"],
    ["if (yield* canStillLand(node, attempts, seen, final)) return", "if (false) return"],
    ['of ["latest", final] as const', 'of ["latest"] as const'],
    ["nonce >= (nonces[index] ?? 0)", "nonce > (nonces[index] ?? 0)"],
    ["return event.blockNumber > final", "return false"]
  ),
  foundBy(`${tests}/chains/evm/nodeQuorum.test.ts`, `${src}/chains/evm/transactions/observeNode.ts`, [
    "if (!complete && (job.kind",
    "if (false && (job.kind"
  ]),
  foundBy(`${tests}/chains/evm/nodeQuorum.test.ts`, `${src}/chains/evm/transactions/observeQuorum.ts`, [
    "nodes.length === 1 || !isTerminal(outcome)",
    "true"
  ]),
  foundBy(`${tests}/chains/evm/EvmChain.test.ts`, `${src}/chains/evm/transactions/vaultCalls.ts`, [
    "BigInt(log.data) >= job.amount &&",
    ""
  ]),
  foundBy(`${tests}/chains/evm/faults.test.ts`, `${src}/chains/evm/transactions/vaultCalls.ts`, [
    "const text = (log: Event) => [log.address, ...",
    "const text = (log: Event) => [..."
  ]),
  foundBy(
    `${tests}/chains/evm/collection.test.ts`,
    `${src}/chains/evm/nodes/searchLogs.ts`,
    ["complete: to < 0n", "complete: true"],
    ["found !== undefined || timestamp * 1000 < since", "true"]
  ),
  foundBy(`${tests}/chains/evm/contradictingNodes.test.ts`, `${src}/chains/evm/transactions/observeQuorum.ts`, [
    "combineViews(views, quorumOf(config), maxBehind)",
    "combineViews(views, 1, maxBehind)"
  ]),
  foundBy(`${tests}/chains/evm/nodeQuorum.test.ts`, `${src}/chains/evm/transactions/replaceTransaction.ts`, [
    "answers.length >= quorumOf(config) &&",
    ""
  ]),
  foundBy(
    `${tests}/chains/solana/faults.test.ts`,
    `${src}/chains/solana/transactions/observe.ts`,
    ["transaction[0] !== raw", "false"],
    ["(meta.err === null) !== (err === null)", "false"],
    ["(yield* isProven(context, job, attempt, meta))", "true"],
    ["expired && (yield* isStillValid(node, last, absoluteSlot))", "false"],
    ["nodes.all.length === 1 || !isTerminal(first.outcome)", "true"]
  ),
  foundBy(
    `${tests}/chains/solana/observe.test.ts`,
    `${src}/chains/solana/transactions/observe.ts`,
    ["finalHeight > lastValidBlockHeight", "finalHeight >= lastValidBlockHeight"],
    ['seen.some(({ fate }) => fate._tag === "Waiting")', "false"]
  ),
  foundBy(`${tests}/chains/solana/batches.test.ts`, `${src}/chains/solana/transactions/observe.ts`, [
    'fate._tag !== "Reverted" || isBatch(attempt)',
    'fate._tag !== "Reverted"'
  ]),
  foundBy(`${tests}/chains/solana/rpcNodes.test.ts`, `${src}/chains/solana/transactions/observe.ts`, [
    'fate._tag === "Expired" ? [attempt] : []',
    "[]"
  ]),
  foundBy(
    `${tests}/chains/solana/faults.test.ts`,
    `${src}/chains/solana/proof/balanceProof.ts`,
    ["return growth === due", "return growth !== undefined && growth >= due"],
    ["each.accountIndex === accountIndex && each.mint === mint", "each.accountIndex === accountIndex"],
    ["(to === vault || (isNative(job.token) && to === context.relayer.address))", "true"]
  ),
  foundBy(`${tests}/chains/solana/batches.test.ts`, `${src}/chains/solana/proof/balanceProof.ts`, [
    "amount === job.amount && memo === memoOf(job)",
    "amount === job.amount"
  ]),
  foundBy(`${tests}/chains/solana/observe.test.ts`, `${src}/chains/solana/proof/balanceProof.ts`, [
    "after - (amountIn(preTokenBalances) ?? 0n)",
    "after"
  ]),
  foundBy(
    `${tests}/chains/solana/nodeHistory.test.ts`,
    `${src}/chains/solana/proof/nodeHistory.ts`,
    ["Number(seconds) * 1000 <= millis - slackMillis", "true"],
    ["if (first === undefined) return false", "if (first === undefined) return true"],
    ["if (first > 0n) return first", "if (true) return first"],
    ["if (blockHeight <= absoluteSlot - first + 1n) return true", "if (true) return true"]
  ),
  foundBy(`${tests}/chains/solana/faults.test.ts`, `${src}/chains/solana/nodes/statuses.ts`, [
    "answer.context.slot < slot",
    "false"
  ]),
  foundBy(`${tests}/chains/solana/statuses.test.ts`, `${src}/chains/solana/nodes/statuses.ts`, [
    "answer.value.length === signatures.length",
    "true"
  ])
]
