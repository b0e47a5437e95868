import { expect } from "vitest"
import { describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, on } from "./stack/balances.js"

describeInBrowser("the language of the page", () => {
  test("is English for a browser in another language, with that browser's numbers", async ({ visit }) => {
    const { form, page, quoted } = await visit({
      profile: { locale: "fr-FR" },
      route: { from: on(chainA, "WETH"), to: on(chainB, "USDC"), amount: "1" }
    })
    await expect.poll(() => form.getByText("Balance").first().innerText()).toMatch(/^Balance [\d\u202f,]+$/)
    await quoted()
    // At 4,000 dollars per token, which a swap of this size lowers.
    expect(await page.getByTestId("output-amount").innerText()).toMatch(/^3\u202f8\d\d,\d+$/)
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("en")
  })
})
