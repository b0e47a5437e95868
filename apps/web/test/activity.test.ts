import { readFileSync } from "node:fs"
import { expect } from "vitest"
import type { SwapPage } from "./browser/swapPage.js"
import { describeInBrowser, test } from "./browser/fixture.js"
import { inspect } from "./browser/inspect.js"
import { walletOf } from "./stack/balances.js"

const entryOf = (id: string, amount: string) => ({
  id,
  status: "settled",
  trip: {
    from: { chainId: 1, chain: "here", symbol: "USDC", amount },
    to: { chainId: 2, chain: "there", symbol: "=WETH", amount: "0.024769847999999999" },
    recipient: "0x00000000000000000000000000000000000a11ce"
  },
  beganAt: 1_700_000_000_000,
  endedAt: 1_700_000_009_000,
  originTxHash: `0x${"1".repeat(64)}`
})

/** A browser in which two swaps have finished. */
const twoSwaps = {
  before: ({ page }: SwapPage) =>
    page.addInitScript(
      (stored) => {
        if (localStorage.getItem("geoswap.history") === null) localStorage.setItem("geoswap.history", stored)
      },
      JSON.stringify([entryOf("swap-2", "20000"), entryOf("swap-1", "7")])
    )
}

describeInBrowser("the list of finished swaps", () => {
  test("is cleared only after a question, and can be restored", async ({ visit }) => {
    const { activity, button, page } = await visit({ ...twoSwaps, bypassCSP: true })
    const items = activity.getByRole("listitem")
    const dialog = page.getByRole("dialog", { name: "Clear your activity?" })
    await activity.getByRole("button", { name: "Clear" }).click()
    expect(await dialog.innerText()).toContain("This removes 2 swaps from this browser.")
    expect(await inspect(page, "clear")).toEqual([])
    await button("Keep").click()
    expect(await items.count()).toBe(2)
    await activity.getByRole("button", { name: "Clear" }).click()
    await dialog.getByRole("button", { name: "Clear", exact: true }).click()
    await activity.getByText("Removed 2 swaps.").waitFor()
    expect(await items.count()).toBe(0)
    await button("Undo").click()
    expect(await items.allInnerTexts()).toEqual([expect.stringContaining("20,000"), expect.stringContaining("7")])
    // The restored list is stored.
    await page.reload()
    await expect.poll(() => items.count()).toBe(2)
  })

  test("is kept by wallet, and filtered by outcome", async ({ stack, visit }) => {
    const bob = walletOf(stack, "bob").address
    const { activity, connect, page } = await visit({
      bypassCSP: true,
      before: ({ page }) =>
        page.addInitScript(
          (stored) => localStorage.setItem("geoswap.history", stored),
          JSON.stringify([
            { ...entryOf("swap-3", "3"), wallet: bob.toLowerCase() },
            { ...entryOf("swap-2", "2"), wallet: bob, status: "refunded" },
            { ...entryOf("swap-1", "1"), wallet: "0x00000000000000000000000000000000000a11ce" }
          ])
        )
    })
    await connect("bob")
    const items = activity.getByRole("list").getByRole("listitem")
    await expect.poll(() => items.count()).toBe(2)
    expect(await inspect(page, "activity with filters")).toEqual([])
    await activity.getByRole("button", { name: "Refunded" }).click()
    expect(await items.count()).toBe(1)
    await activity.getByRole("button", { name: "All" }).click()
    await activity.getByLabel("Show 1 of other wallets").check()
    expect(await items.count()).toBe(3)
  })

  test("is exported as CSV with all digits", async ({ visit }) => {
    const { activity, page } = await visit(twoSwaps)
    const saved = page.waitForEvent("download")
    await activity.getByRole("button", { name: "Export" }).click()
    const download = await saved
    expect(download.suggestedFilename()).toMatch(/^geoswap-\d{4}-\d\d-\d\d\.csv$/)
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n")
    expect(lines).toHaveLength(3)
    // A symbol that looks like a formula is not run by a spreadsheet.
    expect(lines[1]).toContain(`"settled","20000","USDC","here","0.024769847999999999","'=WETH","there"`)
  })
})
