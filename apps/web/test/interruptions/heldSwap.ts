/** A swap whose payment a chain holds back until the test releases it. */
import type { Locator } from "playwright-core"
import { expect } from "vitest"
import type { SwapPage } from "../browser/swapPage.js"
import { balanceOn, chainA, chainB, on } from "../stack/balances.js"
import type { Stack } from "../stack/stack.js"

export const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }
/** A connection can break in several ways. */
export const broken = /net::ERR_/

export const asAlice = { wallets: ["alice"], route }

/** Starts a swap whose payment is held back by the chain. */
export const swapHeld = async ({ devnet }: Stack, { confirm, openReview, quoted, step }: SwapPage) => {
  await quoted()
  await openReview()
  await devnet.evmA.hold()
  await confirm()
  await step("payment", "running").waitFor()
}

/** Checks that there is one more swap and one payment. */
export const expectOne = async (stack: Stack, before: { readonly swaps: number; readonly units: bigint }) => {
  expect((await stack.swaps()).length - before.swaps).toBe(1)
  expect((await stack.swaps()).at(-1)?.state).toBe("settled")
  expect(before.units - (await balanceOn(stack, route.from, "alice")).units).toBe(100_000_000n)
}

/** The line of a swap from an earlier visit that has finished. */
export const finished = (unfinished: Locator) =>
  unfinished.getByRole("heading", {
    name: "Delivered, according to the service: 100 USDC on devnet-a → WETH on devnet-b"
  })

export const stateOf = async (stack: Stack) => ({
  swaps: (await stack.swaps()).length,
  units: (await balanceOn(stack, route.from, "alice")).units
})
