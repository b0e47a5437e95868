/** Checks the outcome of a swap: the caller's view against the chains. */
import type { Swap } from "@geoswap/core/promise"
import type { Devnet } from "@geoswap/devnet"
import { createSolanaRpc, type Signature } from "@solana/kit"
import type { Hash } from "viem"
import { expect } from "vitest"
import * as database from "./database.js"
import * as evm from "./evm.js"
import type { Setup, Started } from "./fixture.js"
import * as solana from "./solana.js"

/** The transactions that moved tokens for an order, by kind. */
interface Proofs {
  readonly collected: ReadonlyArray<string>
  readonly delivered: ReadonlyArray<string>
  readonly refunded: ReadonlyArray<string>
}

const evmProofs = async (chain: Devnet.EvmChain, orderId: string): Promise<Proofs> => {
  const events = await evm.vaultEvents(chain)
  const hashesOf = (name: "Collected" | "Delivered" | "Refunded") =>
    events.flatMap(({ args, eventName, transactionHash }) => {
      const id = "orderId" in args ? args.orderId : "swapId" in args ? args.swapId : undefined
      return eventName === name && id === orderId ? [transactionHash] : []
    })
  return { collected: hashesOf("Collected"), delivered: hashesOf("Delivered"), refunded: hashesOf("Refunded") }
}

const solanaProofs = async (devnet: Devnet.Devnet, orderId: string): Promise<Proofs> => {
  const landed = await solana.memosOf(devnet)
  const hashesOf = (word: RegExp) =>
    landed.flatMap(({ memo, signature }) => {
      const [, rest] = memo.split(`geoswap:${orderId}:`)
      return rest !== undefined && word.test(rest) ? [signature] : []
    })
  return { collected: hashesOf(/^0x/), delivered: hashesOf(/^delivered/), refunded: hashesOf(/^refunded/) }
}

/** Everything on the chains about an order. */
export const proofsOf = async (devnet: Devnet.Devnet, orderId: string): Promise<Proofs> => {
  const all = await Promise.all([
    evmProofs(devnet.evmA, orderId),
    evmProofs(devnet.evmB, orderId),
    solanaProofs(devnet, orderId)
  ])
  return {
    collected: all.flatMap(({ collected }) => collected),
    delivered: all.flatMap(({ delivered }) => delivered),
    refunded: all.flatMap(({ refunded }) => refunded)
  }
}

/** How often tokens moved on a chain for a swap with that status. */
const times = {
  settled: { collected: 1, delivered: 1, refunded: 0 },
  refunded: { collected: 1, delivered: 0, refunded: 1 },
  failed: { collected: 0, delivered: 0, refunded: 0 }
} as const

/** Whether a chain has a transaction, regardless of its effect. */
const isIncluded = async ({ evmA, evmB, solana: svm }: Devnet.Devnet, hash: string): Promise<boolean> => {
  if (!hash.startsWith("0x")) {
    const { value } = await createSolanaRpc(svm.rpcUrl)
      .getSignatureStatuses([hash as Signature], { searchTransactionHistory: true })
      .send()
    return value[0] !== null
  }
  const receipts = await Promise.allSettled(
    [evmA, evmB].map((chain) => evm.reader(chain).getTransactionReceipt({ hash: hash as Hash }))
  )
  return receipts.some(({ status }) => status === "fulfilled")
}

/** The collection of a failed swap or the delivery of a refunded one, if it is shown. It moved nothing, and must be on a chain. */
export const revertedBy = async (
  devnet: Devnet.Devnet,
  { deliveryTxHash, originTxHash, status }: Pick<Swap, "deliveryTxHash" | "originTxHash" | "status">
): Promise<Pick<Swap, "deliveryTxHash" | "originTxHash">> => {
  const hash = status === "failed" ? originTxHash : status === "refunded" ? deliveryTxHash : undefined
  if (hash === undefined) return {}
  expect([hash, await isIncluded(devnet, hash)]).toEqual([hash, true])
  return status === "failed" ? { originTxHash: hash } : { deliveryTxHash: hash }
}

const reported = [
  "acceptedAt",
  "collectedAt",
  "feeBps",
  "finishedAt",
  "input",
  "minOutput",
  "networkCost",
  "output",
  "quotedOutput",
  "recipient",
  "refund"
] as const

/** Returns a swap without what the service reports in addition to the status, the hashes and the reason. */
export const withoutReport = (swap: Swap): Swap => {
  const rest = { ...swap }
  for (const field of reported) delete rest[field]
  return rest
}

/** What the vaults of the EVM chains paid for an order. */
const paidFor = async (devnet: Devnet.Devnet, orderId: string, name: "Delivered" | "Refunded") => {
  const events = await Promise.all([devnet.evmA, devnet.evmB].map((chain) => evm.vaultEvents(chain)))
  return events
    .flat()
    .flatMap((event) => (event.eventName === name && event.args.swapId === orderId ? [event.args.amount] : []))
}

/** The amounts that a swap reports are the ones on the chains, and its times are in order. */
const expectReport = async (
  devnet: Devnet.Devnet,
  orderId: string,
  { amount, output }: Pick<Started, "amount" | "output">,
  swap: Swap
): Promise<void> => {
  const { acceptedAt, collectedAt, finishedAt, refundAmount = amount, status } = swap
  expect([swap.input?.amount, swap.quotedOutput?.amount]).toEqual([amount, output])
  expect(swap.minOutput).toBeGreaterThan(0n)
  expect(swap.minOutput).toBeLessThanOrEqual(output)
  const [delivered = output] = await paidFor(devnet, orderId, "Delivered")
  const [refunded = refundAmount] = await paidFor(devnet, orderId, "Refunded")
  expect([swap.output?.amount, swap.refund?.amount]).toEqual([
    status === "settled" ? delivered : undefined,
    status === "refunded" ? refunded : undefined
  ])
  expect(collectedAt !== undefined).toBe(status !== "failed")
  const times = [acceptedAt, ...(collectedAt === undefined ? [] : [collectedAt]), finishedAt]
  expect(times).toEqual(times.toSorted((a, b) => Number(a) - Number(b)))
  expect(times).not.toContain(undefined)
}

/**
 * Waits for the end of a swap and checks its status and reason. The chains must show exactly the transfers of that
 * outcome, each once, and the caller must get exactly their transactions.
 */
export const expectEnd = async (
  { devnet, running }: Pick<Setup, "devnet" | "running">,
  started: Started,
  status: keyof typeof times,
  failureCode?: string,
  refundAmount?: bigint
): Promise<Proofs> => {
  const { swapId } = started
  const swap = await started.ended
  const orderId = database.orderOf(running.database, swapId)
  const proofs = await proofsOf(devnet, orderId)
  const { collected, delivered, refunded } = proofs
  const reported = { status: swap.status, failureCode: swap.failureCode }
  expect({
    ...reported,
    moved: { collected: collected.length, delivered: delivered.length, refunded: refunded.length }
  }).toEqual({ status, failureCode, moved: times[status] })
  expect(withoutReport(swap)).toEqual({
    swapId,
    status,
    ...(failureCode !== undefined && { failureCode }),
    ...(await revertedBy(devnet, swap)),
    ...(collected[0] !== undefined && { originTxHash: collected[0] }),
    ...(delivered[0] !== undefined && { deliveryTxHash: delivered[0] }),
    ...(refunded[0] !== undefined && { refundTxHash: refunded[0] }),
    ...(refundAmount !== undefined && { refundAmount })
  })
  await expectReport(devnet, orderId, started, swap)
  return proofs
}

/** No swap is open, nothing is reserved, and the relayers' nonces have no gap. */
export const expectNothingLeft = async ({ devnet, running }: Pick<Setup, "devnet" | "running">): Promise<void> => {
  expect(database.leftOf(running.database)).toEqual({ open: 0, reserved: 0 })
  const relayer = evm.operator(devnet, "relayer").address
  for (const chain of [devnet.evmA, devnet.evmB]) {
    const used = await evm.reader(chain).getTransactionCount({ address: relayer, blockTag: "latest" })
    expect(database.nextNonceOf(running.database, chain.id)).toBe(used)
    expect(await evm.poolOf(chain, relayer)).toEqual([])
  }
}
