import { mkdirSync, writeFileSync } from "node:fs"
import { expect } from "vitest"
import type { SwapPage } from "./browser/swapPage.js"
import { shrinkPng } from "./browser/shrinkPng.js"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, chainS, on } from "./stack/balances.js"

const folder = new URL("../../../docs/images/", import.meta.url)
/** Every state, which a reader looks at before a release. Not part of the documentation. */
const states = new URL("../reports/states/", import.meta.url)
const sizes = [
  [360, 740],
  [768, 1024],
  [1280, 720]
] as const
const maxBytes = 150_000

const desktop = { viewport: { width: 1120, height: 1060 } }
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
    const visitor = await visit({ profile: { ...desktop, colorScheme: "light" } })
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
    const visitor = await visit({ profile: { viewport: { width: 360, height: 800 }, colorScheme: "dark" } })
    await visitor.choose(route)
    await visitor.quoted()
    await screenshot(visitor, "phone")
  })

  test("show every state at three widths in both themes, for a reader", async ({ stack, visit }) => {
    const visitor = await visit({ profile: { ...desktop, colorScheme: "light" }, expected: [answered(503)] })
    const { button, choose, confirm, connect, form, openReview, page, quoted, step } = visitor
    mkdirSync(states, { recursive: true })
    const show = async (state: string) => {
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height })
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme })
          const bytes = await page.screenshot({ animations: "disabled", caret: "hide" })
          writeFileSync(new URL(`${state}-${width}-${colorScheme}.png`, states), bytes)
        }
      }
      await page.emulateMedia({ colorScheme: "light" })
    }
    await button("Wallets").click()
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).first().click()
    await page.keyboard.press("Escape")
    await form.getByLabel("Amount", { exact: true }).fill("1250.5")
    await form.getByText("Estimate, not a firm price").waitFor()
    await show("0-no-wallet")
    await form.getByLabel("Amount", { exact: true }).fill("")
    await connect("carol")
    await show("1-empty")
    await choose({ ...route, from: on(chainA, "WETH"), to: on(chainB, "USDC"), amount: "0.123456789012345678" })
    await quoted()
    await show("2-price")
    await form.locator("details.quote > summary").click()
    await show("3-details")
    await form.getByRole("button", { name: /^Receive / }).click()
    await page.getByRole("dialog", { name: "Receive" }).getByRole("option").first().waitFor()
    await show("4-picker")
    await page.keyboard.press("Escape")
    await button("Wallets").click()
    await show("5-wallets")
    await page.keyboard.press("Escape")
    await openReview()
    await show("6-review")
    await stack.devnet.evmB.hold()
    await confirm()
    await step("delivery", "running").waitFor()
    await show("7-progress")
    await page.reload()
    await visitor.unfinished.waitFor()
    await show("8-unfinished")
    await stack.devnet.evmB.release()
    await step("delivery", "done").waitFor({ state: "attached" })
    await show("9-finished")
    await visitor.openActivity()
    await visitor.activity.locator("summary").first().click()
    await show("10-activity")
    await page.goBack()
    await form.getByLabel("Amount", { exact: true }).fill("99999999.123456789")
    await form.getByText("Insufficient").waitFor()
    await button("Send to a different address").click()
    await form.getByLabel("Recipient", { exact: true }).fill("alice.eth")
    await button("Use this address").waitFor()
    await show("11-insufficient")
    await form.getByLabel("Recipient", { exact: true }).fill("")
    await button("Use my wallet").click()
    await page.getByLabel("Language").selectOption("Deutsch")
    await page.getByRole("region", { name: "Tauschen" }).getByLabel("Betrag", { exact: true }).fill("0,5")
    await page.locator("button:enabled", { hasText: "Tausch prüfen" }).waitFor()
    await show("12-german")
  })
})
