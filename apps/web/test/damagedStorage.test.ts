import { expect } from "vitest"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, on, plain, walletOf } from "./stack/balances.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }

const leg = (symbol: string, amount: string) => ({ chainId: 1, chain: "somewhere", symbol, amount })
const entryOf = (wallet: string) => ({
  id: "swap-1",
  status: "settled",
  trip: { from: leg("USDC", "7"), to: leg("WETH", "0.00175"), recipient: "0x1" },
  wallet,
  beganAt: 1_790_000_000_000,
  endedAt: 1_790_000_008_000
})

describeInBrowser("the page", () => {
  test("works with damaged storage", async ({ stack, visit }) => {
    const entry = entryOf(walletOf(stack, "alice").address)
    const history = [
      null,
      "text",
      { trip: {} },
      { ...entry, trip: undefined },
      { ...entry, status: "pending" },
      { ...entry, endedAt: "yesterday" },
      { ...entry, originTxHash: { hash: 1 } },
      { ...entry, id: "" },
      entry
    ]
    const stored = {
      "geoswap.history": JSON.stringify(history),
      "geoswap.wallets": "{",
      "geoswap.theme": "plaid",
      "geoswap.wallet-1": "not a wallet",
      "geoswap.wallet-2": JSON.stringify({ address: "2", flows: 7 })
    }
    const visitor = await visit({ stored, route })
    const { button, quoted, unfinished } = visitor
    await button("Theme: system").waitFor()
    expect((await visitor.activity.getByRole("listitem").allInnerTexts()).map(plain)).toEqual([
      expect.stringContaining("7 USDC → 0.00175 WETH")
    ])
    // A damaged record that may contain a swap is reported.
    expect(await unfinished.innerText()).toContain("An unfinished swap stored in this browser could not be read.")
    await quoted()
    await visitor.openActivity()
    await button("Clear").click()
    await visitor.page.getByRole("dialog").getByRole("button", { name: "Clear", exact: true }).click()
    expect(await visitor.activity.getByRole("listitem").count()).toBe(0)
  })

  test("stores two hundred swaps, newest first, and nothing that could sign or pay", async ({ stack, visit }) => {
    const entry = entryOf(walletOf(stack, "alice").address)
    const many = Array.from({ length: 220 }, (_, index) => ({ ...entry, id: `swap-${index}`, signature: "0xdead" }))
    const { activity, confirm, openActivity, openReview, page, quoted, step } = await visit({
      stored: { "geoswap.history": JSON.stringify(many) },
      route
    })
    await quoted()
    await openReview()
    await confirm()
    await step("delivery", "done").waitFor()
    const items = activity.getByRole("listitem")
    // A swap is recorded a moment after the page shows its last step.
    await expect.poll(async () => plain(await items.first().innerText())).toContain("100 USDC →")
    await openActivity()
    expect(await items.count()).toBe(200)
    expect(plain(await items.last().innerText())).toContain("7 USDC →")
    const kept = await page.evaluate(() => localStorage.getItem("geoswap.history"))
    expect(kept).toContain('"amount":"100"')
    expect(kept).not.toMatch(/signature|token|0xdead/i)
  })

  test("swaps if storage is blocked", async ({ visit }) => {
    const { activity, confirm, openReview, quoted, step } = await visit({
      route,
      before: ({ page }) =>
        page.addInitScript(() => {
          Object.defineProperty(window, "localStorage", {
            get: () => {
              throw new DOMException("Storage is blocked.", "SecurityError")
            }
          })
        })
    })
    await quoted()
    await openReview()
    await confirm()
    await step("delivery", "done").waitFor()
    await expect.poll(() => activity.getByRole("listitem").count()).toBe(1)
  })

  test("shows an error if its configuration is invalid or missing, and can be reloaded", async ({ visit }) => {
    const responses = [
      { status: 200, body: "{}" },
      { status: 404, body: "" }
    ]
    const { button, form, page } = await visit({
      expected: [answered(404)],
      before: ({ page }) =>
        page.route("**/web/config.json", (intercepted) => {
          const response = responses.shift()
          return response === undefined ? intercepted.continue() : intercepted.fulfill(response)
        })
    })
    for (const message of [
      "The server returned an invalid configuration for this page. Contact its operator.",
      "The server returned no configuration for this page (HTTP 404)."
    ]) {
      await page.getByRole("alert").getByText(message).waitFor()
      await button("Reload").click()
    }
    await form.waitFor()
  })
})
