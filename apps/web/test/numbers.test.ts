import { expect } from "vitest"
import { describeInBrowser, test } from "./browser/fixture.js"
import { brokenNumbersOf } from "./browser/inspect.js"
import { chainA, chainB, on, plain } from "./stack/balances.js"

const phone = { width: 360, height: 740 }
/** More than a test wallet holds: the price does not depend on the balance. */
const rich = (page: import("playwright-core").Page) =>
  page.route("**/web/balances?*", (intercepted) => intercepted.fulfill({ json: { balances: [] } }))

describeInBrowser("numbers on the page", () => {
  test("neither break nor are cut off on a phone, and show all digits on demand", async ({ visit }) => {
    const { button, choose, connect, openReview, page, quoted, review } = await visit({
      viewport: phone,
      before: ({ page }) => rich(page)
    })
    await connect("carol")
    const amount = "15.123456789012345678"
    await choose({ from: on(chainA, "WETH"), to: on(chainB, "USDC"), amount })
    // A large amount with groups of digits: about 37,000 dollars.
    const shown = await quoted()
    expect(Number(shown)).toBeGreaterThan(30_000)
    expect(await page.getByTestId("output-amount").innerText()).toMatch(/^\d\d,\d{3}\.\d{2}$/)
    expect(await brokenNumbersOf(page)).toEqual([])

    const text = plain(await openReview())
    expect(await brokenNumbersOf(page)).toEqual([])
    // The headline is shortened. What is signed is not.
    expect(text).toContain("15.1234 WETH")
    expect(text).toContain(`pays exactly ${amount} WETH`)
    expect(text).toContain("15123456789012345678 units")
    await review.getByRole("button", { name: /^15\.1234 WETH/ }).click()
    expect(plain(await review.locator(".big").first().innerText())).toContain(`${amount} WETH`)
    expect(await brokenNumbersOf(page)).toEqual([])
    await button("Back").click()
  })

  test("are grouped in the reader's locale", async ({ visit }) => {
    const { choose, connect, page, quoted } = await visit({ locale: "fr-FR", before: ({ page }) => rich(page) })
    await connect("carol")
    await choose({ from: on(chainA, "WETH"), to: on(chainB, "USDC"), amount: "15" })
    await quoted()
    expect(await page.getByTestId("output-amount").innerText()).toMatch(/^\d\d\u202f\d{3},\d{2}$/)
  })
})
