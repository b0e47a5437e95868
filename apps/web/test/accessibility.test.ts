import { expect } from "vitest"
import { inspect } from "../../../tooling/testing/browser/inspect.js"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { balanceOn, chainA, chainB, chainS, on, plain } from "./stack/balances.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }

describeInBrowser("the layout of the page", () => {
  test("is accessible and fits on a phone: form, errors, wallets and review", async ({ visit }) => {
    const { button, choose, form, main, openReview, page, quoted, review } = await visit({
      wallets: ["carol"],
      route,
      expected: [answered(422)]
    })
    await quoted()
    // The main button is in view without scrolling.
    const { height = 0, y = 0 } = (await main.boundingBox()) ?? {}
    expect(y + height).toBeGreaterThan(0)
    expect(y + height).toBeLessThanOrEqual(720)
    expect(await page.evaluate(() => scrollY)).toBe(0)
    expect(await inspect(page, "form")).toEqual([])
    await form.getByLabel("Amount", { exact: true }).fill("0.000001")
    await form.getByText("This amount is too small to cover the network cost.").waitFor()
    expect(await inspect(page, "form without a price")).toEqual([])
    await button("Send to a different address").click()
    await form.getByLabel("Recipient").fill("0x1")
    expect(await inspect(page, "form with an error")).toEqual([])
    await button("Use my wallet").click()
    await button("Wallets").click()
    expect(await inspect(page, "wallets")).toEqual([])
    await page.keyboard.press("Escape")
    await choose({ from: on(chainS, "USDC"), to: on(chainB, "WETH"), amount: "5000" })
    await quoted()
    await openReview()
    await review.getByRole("checkbox").waitFor()
    expect(await inspect(page, "review")).toEqual([])
  })

  test("is accessible and fits on a phone: progress, refund with its reason and hash, and activity", async ({
    stack,
    visit
  }) => {
    const { devnet, pausable } = stack
    const before = await balanceOn(stack, route.from, "carol")
    const { button, confirm, activity, openFlows, openReview, page, quoted, step, unfinished } = await visit({
      wallets: ["carol"],
      route: { ...route, to: on(chainB, "PSE") }
    })
    await quoted()
    await openReview()
    await devnet.evmA.hold()
    await pausable.setPaused(true)
    try {
      await confirm()
      await step("payment", "running").waitFor()
      expect(await inspect(page, "progress")).toEqual([])
      await page.reload()
      await unfinished.waitFor()
      await devnet.evmA.release()
      await step("refund", "done").waitFor({ state: "attached" })
    } finally {
      await pausable.setPaused(false)
    }
    expect(await inspect(page, "refunded", { repeats: true })).toEqual([])
    expect(await step("delivery").getAttribute("data-state")).toBe("failed")
    const { refundTxHash } = (await stack.swaps()).at(-1) ?? {}
    expect(refundTxHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await step("refund").locator("code").getAttribute("title")).toBe(refundTxHash)
    const message = plain(await unfinished.getByRole("alert").innerText())
    expect(message).toContain("Delivery failed: 100 USDC refunded")
    expect(message).toContain("The token may be paused")
    // Only the service says so. Until the user forgets the swap, the page offers no other attempt.
    expect(message).toContain("according to the service")
    expect(await button("Try again").count()).toBe(0)
    expect((await balanceOn(stack, route.from, "carol")).units).toBe(before.units)
    expect(await openFlows()).toHaveLength(1)
    await button("Forget this swap").click()
    await button("Forget it").click()
    await unfinished.waitFor({ state: "detached" })
    expect(await openFlows()).toEqual([])
    expect(await activity.getByRole("listitem").innerText()).toContain("Refunded")
    await activity.locator("summary").click()
    expect(await inspect(page, "activity", { repeats: true })).toEqual([])
  })

  test("does not shift while the page and prices load", async ({ visit }) => {
    // Tall enough for the whole page: shifts outside the viewport are not measured.
    const { page, quoted } = await visit({
      route,
      before: ({ page }) => page.setViewportSize({ width: 1280, height: 1200 })
    })
    await quoted()
    const shiftSum = () =>
      page.evaluate(() => {
        const observer = new PerformanceObserver(() => {})
        observer.observe({ type: "layout-shift", buffered: true })
        const entries = observer.takeRecords() as Array<PerformanceEntry & { readonly value: number }>
        return entries.reduce((sum, { value }) => sum + value, 0)
      })
    const shifts = await shiftSum()
    process.stdout.write(`layout shifts over a load and a price: ${shifts.toFixed(4)}\n`)
    expect(shifts).toBeLessThan(0.05)
    // A real shift is detected.
    await page.evaluate(() => {
      document.body.style.paddingTop = "300px"
    })
    await expect.poll(shiftSum).toBeGreaterThan(shifts)
  })

  test("follows the system theme until the user selects one, and stores the selection", async ({ visit }) => {
    const { button, page } = await visit({ before: ({ page }) => page.emulateMedia({ colorScheme: "dark" }) })
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await button("Theme: system").waitFor()
    const dark = await background()
    await page.emulateMedia({ colorScheme: "light" })
    const light = await background()
    expect(light).not.toBe(dark)
    await button("Theme: system").click()
    await button("Theme: light").click()
    await button("Theme: dark").waitFor()
    expect(await background()).toBe(dark)
    await page.reload()
    await button("Theme: dark").waitFor()
    expect(await background()).toBe(dark)
  })
})
