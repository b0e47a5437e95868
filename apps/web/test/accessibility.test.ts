import { expect } from "vitest"
import { inspect } from "./browser/inspect.js"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, chainS, on } from "./stack/balances.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }

describeInBrowser("the looks of the page", () => {
  test("shut nobody out and fit on a phone: the form, its problems, the wallets and the review", async ({ visit }) => {
    const { button, choose, connect, form, openReview, page, quoted, review } = await visit({
      // What inspects the page is put into it.
      bypassCSP: true,
      expected: [answered(422)]
    })
    await connect("carol")
    await choose(route)
    await quoted()
    expect(await inspect(page, "form")).toEqual([])
    await choose({ ...route, amount: "0.000001" })
    await form.getByText("too small to pay").waitFor()
    expect(await inspect(page, "form without a price")).toEqual([])
    await button("Send to another address").click()
    await form.getByLabel("Recipient").fill("0x1")
    expect(await inspect(page, "form with a mistake")).toEqual([])
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

  test("shut nobody out and fit on a phone: a swap under way, refunded, and in the history", async ({
    stack,
    visit
  }) => {
    const { devnet, pausable } = stack
    const { button, choose, confirm, connect, history, openReview, page, quoted, step, unfinished } = await visit({
      bypassCSP: true
    })
    await connect("carol")
    await choose({ ...route, to: on(chainB, "PSE") })
    await quoted()
    await openReview()
    await devnet.evmA.hold()
    await pausable.setPaused(true)
    try {
      await confirm()
      await step("origin", "running").waitFor()
      expect(await inspect(page, "progress")).toEqual([])
      await page.reload()
      await unfinished.waitFor()
      await devnet.evmA.release()
      await step("refund", "done").waitFor()
    } finally {
      await pausable.setPaused(false)
    }
    expect(await inspect(page, "refunded")).toEqual([])
    await button("Dismiss").click()
    await history.locator("summary").click()
    expect(await inspect(page, "history")).toEqual([])
  })

  test("are still while it loads and while prices come", async ({ visit }) => {
    // Tall enough for all of it: what moves out of sight does not count.
    const { choose, page, quoted } = await visit({ viewport: { width: 1280, height: 1200 } })
    await choose(route)
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
    // Where something does move, it is noticed.
    await page.evaluate(() => {
      document.body.style.paddingTop = "300px"
    })
    await expect.poll(shiftSum).toBeGreaterThan(shifts)
  })

  test("follow the system until somebody chooses, and the choice lasts", async ({ visit }) => {
    const { button, page } = await visit({ colorScheme: "dark" })
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await button("Theme: system").waitFor()
    const dark = await paper()
    await page.emulateMedia({ colorScheme: "light" })
    const light = await paper()
    expect(light).not.toBe(dark)
    await button("Theme: system").click()
    await button("Theme: light").click()
    await button("Theme: dark").waitFor()
    expect(await paper()).toBe(dark)
    await page.reload()
    await button("Theme: dark").waitFor()
    expect(await paper()).toBe(dark)
  })
})
