/** Swaps in states that only this version has. */
import { TestToken } from "@geoswap/contracts/testing"
import { zeroAddress } from "viem"
import { pause } from "../crash/fixture.js"
import * as evm from "../stack/evm.js"
import { deployWriter, forge } from "../stack/forgery.js"
import { make, until } from "../stack/fixture.js"
import { type Payers, reportOf, startOn, type Submitted, type Wish } from "./mixedVersionSwap.js"
import { keep, type Kept, letGo, stateOf, whileNothingIsDelivered, whileNothingIsSigned } from "./pausedSwaps.js"
import type { Replica, Setup } from "./fixture.js"

/** Starts a swap, and keeps it where the input has arrived and nothing is decided. */
const arrive = async (setup: Setup, replica: Replica, payers: Payers, wish: Wish): Promise<Submitted> => {
  const { devnet } = setup
  const chain = devnet[wish.origin]
  await make(chain.hold)
  const submitted = await startOn(setup, { status: replica }, payers, wish)
  await until(async () => (await stateOf(setup, submitted)) === "origin_sent")
  await whileNothingIsDelivered(setup, async () => {
    await make(chain.release)
    await keep(setup, submitted, "origin_final")
  })
  return submitted
}

const hasRefund = async ({ rows }: Setup, { swapId }: Submitted): Promise<boolean> =>
  (await rows(`SELECT hash FROM tx_attempts WHERE swap_id = '${swapId}' AND kind = 'refund'`)).length > 0

/** A swap that is only refunded, while neither is possible: input and output are paused. */
export const refundOnly = async (setup: Setup, replica: Replica, payers: Payers): Promise<Submitted> => {
  const { devnet, pausable } = setup
  const { evmA, evmB } = devnet
  const payer = await evm.newDelegated(devnet, evmA, {})
  const args = [payer.address, 100n * 10n ** 6n]
  await evm.asOwner(devnet, evmA, { address: pausable.input, abi: TestToken.abi, functionName: "mint", args })
  const wish = { origin: "evmA", destination: "evmB", input: pausable.input, output: pausable.output, payer } as const
  const submitted = await arrive(setup, replica, payers, wish)
  await pause(devnet, evmA, pausable.input, true)
  await pause(devnet, evmB, pausable.output, true)
  await letGo(setup, [submitted])
  await until(async () => (await stateOf(setup, submitted)) === "refund_prepared")
  if (await hasRefund(setup, submitted)) throw new Error("A refund was signed although the input is paused.")
  return submitted
}

/** Swaps of both families whose recipient rejects the output, so that a part of the input is refunded; not decided yet. */
export const refused = async (setup: Setup, replica: Replica, payers: Payers): Promise<ReadonlyArray<Kept>> => {
  const { devnet } = setup
  const recipient = await evm.deployRecipient(devnet, devnet.evmB)
  const swaps: Array<Kept> = []
  for (const origin of ["evmA", "solana"] as const) {
    const wish = { origin, destination: "evmB", output: zeroAddress, recipient } as const
    swaps.push({ ...(await arrive(setup, replica, payers, wish)), state: "refund_prepared", end: "refunded" })
  }
  await evm.asOwner(devnet, devnet.evmB, evm.refuseNative(recipient))
  return swaps
}

/** A swap whose output is no longer reserved: the nonce of its operation is used, and its input has not arrived. */
export const forged = async (setup: Setup, replica: Replica, payers: Payers): Promise<Submitted> => {
  const { devnet, rows } = setup
  const { evmA } = devnet
  const payer = await evm.newDelegated(devnet, evmA, { USDC: 100n * 10n ** 6n })
  const writer = await deployWriter(devnet, evmA)
  const submitted = await whileNothingIsSigned(setup, async () => {
    const started = await startOn(setup, { status: replica }, payers, { origin: "evmA", destination: "evmB", payer })
    // Until the wallet is delegated to its account again, no server may see that it is not.
    await keep(setup, started, "accepted")
    return started
  })
  await evm.reader(evmA).waitForTransactionReceipt({ hash: await forge(devnet, payer, writer) })
  const back = await evm.delegate(devnet, evmA, payer, evmA.contracts.account)
  await evm.reader(evmA).waitForTransactionReceipt({ hash: back })
  await letGo(setup, [submitted])
  const reserved = `SELECT swap_id FROM claims WHERE swap_id = '${submitted.swapId}' AND kind = 'output'`
  await until(async () => (await rows(reserved)).length === 0)
  const state = await stateOf(setup, submitted)
  if (state !== "accepted")
    throw new Error(`Expected accepted, got ${state}.\n${await reportOf(setup, submitted.swapId)}`)
  return submitted
}
