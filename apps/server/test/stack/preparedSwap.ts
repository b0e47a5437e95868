/** A swap of a delegated wallet on the EVM chains, and the balances that it moves. */
import type { Devnet } from "@geoswap/devnet"
import { zeroAddress } from "viem"
import { expect } from "vitest"
import * as evm from "./evm.js"
import { type Change, type Setup, type Started, startSwap } from "./fixture.js"
import { entriesOf, open } from "./ledger.js"
import { expectEnd, expectNothingLeft } from "./outcome.js"

/** A wallet with 10 USDC, a recipient, and their balances. */
export const prepareSwap =
  (change: Change = (file) => file) =>
  async (devnet: Devnet.Devnet) => {
    const { evmA, evmB } = devnet
    const wallet = await evm.newDelegated(devnet, evmA, { USDC: 10_000_000n })
    const recipient = evm.newAddress()
    const ledger = await open([
      ...entriesOf(evmA, { payer: wallet.address, vault: evmA.contracts.vault }, zeroAddress),
      ...entriesOf(evmB, { recipient, vault: evmB.contracts.vault }, zeroAddress)
    ])
    return { change, props: { wallet, recipient, ledger } }
  }

export type Prepared = Awaited<ReturnType<ReturnType<typeof prepareSwap>>>["props"]

/** Starts the swap. */
export const startPrepared = (setup: Setup, { recipient, wallet }: Prepared): Promise<Started> =>
  startSwap(setup, wallet, { recipient })

/** Expects that the swap settled once, with the quoted amounts. */
export const expectSettled = async (setup: Setup, started: Started, { ledger }: Prepared): Promise<void> => {
  const { evmA, evmB } = setup.devnet
  await expectEnd(setup, started, "settled")
  expect(await ledger()).toEqual({
    [`payer USDC@${evmA.id}`]: -started.amount,
    [`vault USDC@${evmA.id}`]: started.amount,
    [`vault WETH@${evmB.id}`]: -started.output,
    [`recipient WETH@${evmB.id}`]: started.output
  })
  await expectNothingLeft(setup)
}
