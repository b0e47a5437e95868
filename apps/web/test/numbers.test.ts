import type { Page } from "playwright-core"
import { expect } from "vitest"
import { brokenNumbersOf } from "../../../tooling/testing/browser/inspect.js"
import { describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, on, plain } from "./stack/balances.js"

const phone = { width: 360, height: 740 }
/** A price with groups of digits: more than the test wallets can pay. */
const large = (page: Page) =>
  page.route("**/swap/quote", async (intercepted) => {
    const response = await intercepted.fetch()
    const quote = (await response.json()) as object
    await intercepted.fulfill({ response, json: { ...quote, output: "38881420000", minOutput: "36937349000" } })
  })

describeInBrowser("numbers on the page", () => {
  test("neither break nor are cut off on a phone, and show all digits on demand", async ({ visit }) => {
    const amount = "1.123456789012345678"
    const { button, openReview, page, quoted, review } = await visit({
      wallets: ["carol"],
      route: { from: on(chainA, "WETH"), to: on(chainB, "USDC"), amount },
      before: async ({ page }) => {
        await page.setViewportSize(phone)
        await large(page)
      }
    })
    expect(await quoted()).toBe("38881.42")
    expect(await brokenNumbersOf(page)).toEqual([])
    expect(await page.getByTestId("output-amount").innerText()).toBe("38,881.42")

    const text = plain(await openReview())
    expect(await brokenNumbersOf(page)).toEqual([])
    // The headline is shortened. What is signed is not.
    expect(text).toContain("1.12345 WETH")
    expect(text).toContain(`pays exactly ${amount} WETH`)
    expect(text).toContain("1123456789012345678 units")
    await review.getByRole("button", { name: /^1\.12345\sWETH/ }).click()
    expect(plain(await review.locator(".big").first().innerText())).toContain(`${amount} WETH`)
    expect(await brokenNumbersOf(page)).toEqual([])
    await button("Back").click()
  })
})
