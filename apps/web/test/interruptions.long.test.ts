/** More interruptions, and several swaps at once. */
import { expect } from "vitest"
import { describeInBrowser, test } from "./browser/fixture.js"
import { asAlice, broken, expectOne, route, stateOf, swapHeld } from "./interruptions/heldSwap.js"
import { balanceOn, chainA, chainB, on, plain } from "./stack/balances.js"
import { openCuttableProxy } from "./stack/cuttableProxy.js"

describeInBrowser("a running swap", () => {
  test("leaves an empty form for the next one, and once finished, at most one line above it", async ({
    stack,
    visit
  }) => {
    const visitor = await visit(asAlice)
    const { button, choose, confirm, form, main, monitor, openReview, page, quoted, unfinished } = visitor
    await swapHeld(stack, visitor)
    expect(await visitor.progress.getByRole("heading").first().innerText()).toMatch(
      /^100\sUSDC on devnet-a → WETH on devnet-b$/
    )
    const quotes = monitor.count("/web/api/swap/quote")
    await button("Start another swap").click()
    await unfinished.getByText("Swap in progress").waitFor()
    expect(await form.getByLabel("Amount", { exact: true }).inputValue()).toBe("")
    await form.getByRole("button", { name: "Enter an amount" }).waitFor()
    expect(await page.getByTestId("output-amount").innerText()).toBe("0")
    expect(await main.isDisabled()).toBe(true)
    expect(monitor.count("/web/api/swap/quote")).toBe(quotes)
    // A second one, on another chain, so that both run.
    await choose({ from: on(chainB, "USDC"), to: on(chainA, "WETH"), amount: "110" })
    await quoted()
    await openReview()
    await stack.devnet.evmB.hold()
    await confirm()
    await visitor.progress.locator('[data-step="payment"][data-state="running"]').waitFor()
    await page.reload()
    await expect.poll(() => unfinished.getByRole("article").count()).toBe(2)
    await Promise.all([stack.devnet.evmA.release(), stack.devnet.evmB.release()])
    await expect.poll(() => unfinished.getByRole("article").count(), { timeout: 60_000 }).toBe(1)
    await unfinished.getByRole("heading", { name: /^Delivered, according to the service: / }).waitFor()
    expect((await unfinished.boundingBox())?.height).toBeLessThan(90)
    expect(await visitor.activity.getByRole("listitem").count()).toBe(2)
  })

  test("waits while the browser is offline and resumes automatically", async ({ stack, visit }) => {
    const before = await stateOf(stack)
    await using proxy = await openCuttableProxy(stack.url)
    const visitor = await visit({ ...asAlice, via: proxy.url, expected: [broken] })
    const { openFlows, page, step } = visitor
    const banner = page.getByText("You are offline. This page resumes when you are back online.")
    await swapHeld(stack, visitor)
    await page.context().setOffline(true)
    proxy.cut()
    await banner.waitFor()
    await stack.devnet.evmA.release()
    await expect.poll(async () => (await stack.swaps()).at(-1)?.state).toBe("settled")
    expect(await step("delivery", "done").count()).toBe(0)
    proxy.restore()
    await page.context().setOffline(false)
    await banner.waitFor({ state: "hidden" })
    await step("delivery", "done").waitFor()
    // The flow is removed a moment after the page shows the last step.
    await expect.poll(openFlows).toEqual([])
    await expectOne(stack, before)
  })

  test("that cannot be delivered is refunded, with the reason and the hash", async ({ stack, visit }) => {
    const { pausable } = stack
    const before = await balanceOn(stack, route.from, "alice")
    const visitor = await visit({ wallets: ["alice"], route: { ...route, to: on(chainB, "PSE"), amount: "200" } })
    const { confirm, activity, openFlows, openReview, progress, quoted, step } = visitor
    await quoted()
    await openReview()
    await pausable.setPaused(true)
    try {
      await confirm()
      await step("refund", "done").waitFor()
    } finally {
      await pausable.setPaused(false)
    }
    expect(await step("delivery").getAttribute("data-state")).toBe("failed")
    const { refundTxHash } = (await stack.swaps()).at(-1) ?? {}
    expect(refundTxHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await step("refund").locator("code").getAttribute("title")).toBe(refundTxHash)
    const message = plain(await progress.getByRole("alert").innerText())
    expect(message).toContain("Delivery failed: 200 USDC refunded")
    expect(message).toContain("The token may be paused")
    expect((await balanceOn(stack, route.from, "alice")).units).toBe(before.units)
    expect(await activity.getByRole("listitem").innerText()).toContain("Refunded")
    // Only the service says so, so the page still knows the swap.
    expect(message).toContain("according to the service")
    expect(await openFlows()).toHaveLength(1)
  })
})
