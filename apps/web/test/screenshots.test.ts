import { mkdirSync, writeFileSync } from "node:fs"
import { expect } from "vitest"
import type { SwapPage } from "./browser/swapPage.js"
import { shrinkPng } from "./browser/shrinkPng.js"
import { describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, chainS, on } from "./stack/balances.js"

const folder = new URL("../../../docs/images/", import.meta.url)
const maxBytes = 150_000

const desktop = { viewport: { width: 1120, height: 1060 }, reducedMotion: "reduce" } as const
const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "250" }

/** Takes a screenshot of the viewport. */
const screenshot = async ({ page }: SwapPage, name: string): Promise<void> => {
  // No caret, focus or hover.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.mouse.move(0, 0)
  const bytes = shrinkPng(await page.screenshot({ animations: "disabled", caret: "hide" }))
  expect(bytes.length).toBeLessThanOrEqual(maxBytes)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(`${name}.png`, folder), bytes)
}

/** Makes one swap, so the activity list is not empty. */
const swapOnce = async ({ button, choose, confirm, openReview, quoted, step }: SwapPage): Promise<void> => {
  await choose({ from: on(chainA, "USDC"), to: on(chainS, "USDC"), amount: "120" })
  await quoted()
  await openReview()
  await confirm()
  await step("delivery", "done").waitFor()
  await button("New swap").click()
}

describeInBrowser("screenshots of the page", () => {
  test("show the form in both themes, the review and a running swap", async ({ stack, visit }) => {
    const visitor = await visit({ ...desktop, colorScheme: "light" })
    const { choose, confirm, openReview, page, quoted, step } = visitor
    await swapOnce(visitor)
    await choose(route)
    await quoted()
    await screenshot(visitor, "swap-light")
    await page.emulateMedia({ colorScheme: "dark" })
    await screenshot(visitor, "swap-dark")
    await page.emulateMedia({ colorScheme: "light" })
    await openReview()
    await screenshot(visitor, "review")
    await stack.devnet.evmB.hold()
    await confirm()
    await step("delivery", "running").waitFor()
    await page.setViewportSize({ width: desktop.viewport.width, height: 700 })
    await screenshot(visitor, "progress")
  })

  test("show the form on a phone", async ({ visit }) => {
    const visitor = await visit({ viewport: { width: 360, height: 800 }, reducedMotion: "reduce", colorScheme: "dark" })
    await visitor.choose(route)
    await visitor.quoted()
    await screenshot(visitor, "phone")
  })
})
