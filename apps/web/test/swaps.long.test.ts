/** Swaps in all directions. */
import "./swaps.test.js"
import { formatAmount } from "@geoswap/core/promise"
import { getAddress } from "viem"
import { expect } from "vitest"
import { describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, on } from "./stack/balances.js"
import { nativeBalanceOf } from "./stack/chains.js"

describeInBrowser("a swap on the page", () => {
  test("delivers a native token to another address", async ({ stack, visit }) => {
    const { evmB } = stack.devnet
    const recipient = getAddress("0x00000000000000000000000000000000000a11ce")
    const before = await nativeBalanceOf(evmB, recipient)
    const { button, choose, confirm, form, openReview, quoted, step } = await visit({ wallets: ["bob"] })
    await choose({ from: on(chainA, "USDC"), to: on(chainB, "ETH"), amount: "140" })
    await button("Send to a different address").click()
    await form.getByLabel("Recipient").fill(recipient)
    const shown = await quoted()
    expect(await openReview()).toContain(recipient)
    await confirm()
    await step("delivery", "done").waitFor()
    const received = formatAmount((await nativeBalanceOf(evmB, recipient)) - before, 18)
    expect(received.startsWith(shown)).toBe(true)
  })
})
