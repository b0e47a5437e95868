import { readFileSync } from "node:fs"
import { expect } from "vitest"
import { inspect } from "../../../tooling/testing/browser/inspect.js"
import { describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, on, plain, walletOf } from "./stack/balances.js"

const trip = (amount: string) => ({
  from: { chainId: 1, chain: "here", symbol: "USDC", amount },
  to: { chainId: 2, chain: "there", symbol: "=WETH", amount: "0.024769847999999999" },
  recipient: "0x00000000000000000000000000000000000a11ce"
})

const entryOf = (id: string, amount: string, wallet: string) => ({
  id,
  status: "settled",
  wallet,
  trip: trip(amount),
  beganAt: 1_700_000_000_000,
  endedAt: 1_700_000_009_000,
  originTxHash: `0x${"1".repeat(64)}`
})

const history = (entries: ReadonlyArray<object>) => ({ "geoswap.history": JSON.stringify(entries) })

describeInBrowser("the list of finished swaps", () => {
  test("is exported as CSV with all digits, is cleared only after a question, and can be restored", async ({
    stack,
    visit
  }) => {
    const alice = walletOf(stack, "alice").address
    const { activity, button, openActivity, page } = await visit({
      stored: history([entryOf("swap-2", "20000", alice), entryOf("swap-1", "7", alice)])
    })
    await openActivity()
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
    const { activity, openActivity, page } = await visit({
      wallets: ["bob"],
      stored: history([
        entryOf("swap-3", "3", bob.toLowerCase()),
        { ...entryOf("swap-2", "2", bob), status: "refunded" },
        {
          ...entryOf("swap-1", "1", "0x00000000000000000000000000000000000a11ce"),
          trip: { ...trip("1"), to: { ...trip("1").to, chain: "elsewhere" } }
        }
      ])
    })
    await openActivity()
    const items = activity.getByRole("list").getByRole("listitem")
    await expect.poll(() => items.count()).toBe(2)
    expect(await inspect(page, "activity with filters", { repeats: true })).toEqual([])
    await activity.getByRole("button", { name: "Refunded" }).click()
    expect(await items.count()).toBe(1)
    // What was not delivered is not shown as received.
    expect(plain(await items.innerText())).toContain("2 USDC → =WETH\n")
    await activity.getByRole("button", { name: "All" }).click()
    await activity.getByLabel("Show 1 of other wallets").check()
    expect(await items.count()).toBe(3)
    await activity.getByRole("button", { name: "Failed" }).click()
    await activity.getByText("No swap matches.").waitFor()
    await activity.getByRole("button", { name: "All" }).click()
    await activity.getByLabel("Filter by chain").selectOption("elsewhere")
    expect(await items.allInnerTexts()).toEqual([expect.stringContaining("1 USDC".replace(" ", "\u00a0"))])
  })

  test("has its own address, with details, while the form keeps its values", async ({ stack, visit }) => {
    const { evmA } = stack.devnet
    const bob = walletOf(stack, "bob").address
    const swap = entryOf("swap-1", "20000", bob)
    const refunded = {
      ...swap,
      status: "refunded",
      refunded: "19999.5",
      trip: { ...swap.trip, from: { ...swap.trip.from, chainId: evmA.id } }
    }
    const { activity, form, page } = await visit({
      wallets: ["bob"],
      route: { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "" },
      stored: history([refunded, ...["2", "3", "4"].map((amount) => entryOf(`swap-${amount}`, amount, bob))])
    })
    await form.getByLabel("Amount", { exact: true }).fill("12")
    // The form shows only the latest swaps.
    expect(await activity.getByRole("listitem").count()).toBe(3)
    await activity.getByRole("link", { name: "All activity (4)" }).click()
    await expect.poll(() => new URL(page.url()).hash).toBe("#/activity")
    await expect.poll(() => page.title()).toBe("Activity: GeoSwap")
    expect(await form.isVisible()).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Activity")
    expect(await activity.getByRole("listitem").count()).toBe(4)
    await activity.locator("summary").first().click()
    const details = activity.getByRole("listitem").first()
    expect(plain(await details.innerText())).toMatch(/Amount paid\s+20000 USDC[^]*Amount refunded\s+19999\.5 USDC/)
    const explorer = details.getByRole("link", { name: "Open transaction hash in the explorer" })
    expect(await explorer.getAttribute("href")).toBe(`https://explorer.example/tx/${swap.originTxHash}`)
    expect(await inspect(page, "activity page")).toEqual([])
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor()
    await page.goBack()
    expect(await form.getByLabel("Amount", { exact: true }).inputValue()).toBe("12")
    await expect.poll(() => page.title()).toContain("swap between chains")
  })
})
