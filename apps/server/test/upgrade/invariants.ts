/** Invariants of finished swaps, regardless of which versions worked on them. */
import type { Swap } from "@geoswap/core/promise"
import { expect } from "vitest"
import { revertedBy, withoutReport } from "../stack/outcome.js"
import * as evm from "../stack/evm.js"
import { until } from "../stack/fixture.js"
import * as solana from "../stack/solana.js"
import { clientOn, endAt, type Payers, type Place, plenty, reportOf, type Submitted } from "./mixedVersionSwap.js"
import type { Replica, Setup } from "./fixture.js"

/** How often tokens move for a swap with that outcome. */
const times = {
  settled: { collected: 1, delivered: 1, refunded: 0 },
  refunded: { collected: 1, delivered: 0, refunded: 1 },
  failed: { collected: 0, delivered: 0, refunded: 0 }
} as const

/** How often the chains moved tokens for a swap, by kind. */
export const movesOf = async ({ facts }: Setup, { orderId }: Pick<Submitted, "orderId">) => {
  const { collected, delivered, refunded } = (await facts())(orderId)
  return { collected: collected.length, delivered: delivered.length, refunded: refunded.length }
}

/**
 * Waits for the end of a swap at one server. It must be the expected one at every server, and the chains must show
 * the transfers of that outcome, each once.
 */
export const expectEnd = async (
  setup: Setup,
  [first, ...others]: readonly [Replica, ...ReadonlyArray<Replica>],
  submitted: Submitted,
  status: keyof typeof times
): Promise<Swap> => {
  const swap = await endAt(setup, first, submitted)
  const hashes = (await setup.facts())(submitted.orderId)
  const seen = { status: swap.status, moved: await movesOf(setup, submitted) }
  if (swap.status !== status) throw new Error(`It is ${swap.status}:\n${await reportOf(setup, submitted.swapId)}`)
  expect(seen).toEqual({ status, moved: times[status] })
  if (status === "settled") await expectOutput(setup, submitted)
  const { deliveryTxHash, originTxHash, refundTxHash } = swap
  expect({ originTxHash, deliveryTxHash, refundTxHash }).toEqual({
    originTxHash: (await revertedBy(setup.devnet, swap)).originTxHash ?? hashes.collected[0],
    deliveryTxHash: hashes.delivered[0],
    refundTxHash: hashes.refunded[0]
  })
  for (const other of others) {
    const elsewhere = await (await clientOn(setup, { status: other })).status(submitted.swapId)
    // The previous version shows no reverted transaction, does not know partial refunds, and reports no amounts or times.
    const { originTxHash: hash, refundAmount: _, ...rest } = withoutReport(swap)
    const known = status === "failed" || hash === undefined ? rest : { ...rest, originTxHash: hash }
    expect(elsewhere).toEqual(other.version === "previous" ? known : swap)
  }
  return swap
}

const balanceOf = ({ devnet }: Setup, place: Place, token: string, owner: string): Promise<bigint> =>
  place === "solana" ? solana.balanceOf(devnet.solana, token, owner) : evm.balanceOf(devnet[place], token, owner)

/** The recipient of a settled swap, who had nothing, has its output. */
const expectOutput = async (setup: Setup, { output, request, wish }: Submitted): Promise<void> => {
  expect(await balanceOf(setup, wish.destination, request.outputToken, request.recipient)).toBe(output)
}

/** A finished swap. */
export interface Ended {
  readonly submitted: Submitted
  readonly swap: Swap
}

/** The payers have paid for settled swaps and for the kept part of refunds, and for nothing else. */
export const expectPaid = async (setup: Setup, payers: Payers, ended: ReadonlyArray<Ended>): Promise<void> => {
  const { devnet } = setup
  for (const origin of ["evmA", "solana"] as const) {
    const wallet = payers[origin === "evmA" ? "evm" : "solana"].address
    const usdc = evm.tokenOf(devnet[origin], "USDC")
    const paid = ended
      .filter(({ submitted }) => submitted.request.walletAddress === wallet)
      .map(({ submitted: { request }, swap: { refundAmount = request.amount, status } }) =>
        status === "settled" ? request.amount : status === "refunded" ? request.amount - refundAmount : 0n
      )
    const spent = paid.reduce((sum, each) => sum + each, 0n)
    expect({ origin, left: await balanceOf(setup, origin, usdc, wallet) }).toEqual({ origin, left: plenty - spent })
  }
}

/** The log message of a server whose statement the database refused. */
const refusal = "the database failed"

/**
 * No swap is open, nothing is reserved or leased, every version of every swap was written once, and no statement was
 * refused, as it would be if it was prepared before a table got a column.
 */
export const expectClosed = async ({ replicas, rows }: Setup): Promise<void> => {
  for (const { stderr } of replicas) {
    expect(
      stderr()
        .split("\n")
        .filter((line) => line.includes(refusal))
    ).toEqual([])
  }
  expect(await rows("SELECT id, state FROM swaps WHERE state NOT IN ('settled', 'failed', 'refunded')")).toEqual([])
  expect(await rows("SELECT swap_id FROM claims")).toEqual([])
  expect(await rows("SELECT id FROM swaps WHERE lease_owner IS NOT NULL OR lease_until IS NOT NULL")).toEqual([])
  const histories = `SELECT id FROM swaps s
    WHERE version + 1 <> (SELECT COUNT(*) FROM swap_events e WHERE e.swap_id = s.id)`
  expect(await rows(histories)).toEqual([])
}

/** Waits until a server has logged something about a swap that often since `from`, a position in its log. */
export const logged = (replica: Replica, { swapId }: Submitted, text: string, from: number, count: number) =>
  until(() => {
    const lines = replica.stderr().slice(from).split("\n")
    return lines.filter((line) => line.includes(swapId) && line.includes(text)).length >= count
  })
