import { expect } from "vitest"
import { inspect } from "../../../tooling/testing/browser/inspect.js"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, on } from "./stack/balances.js"

describeInBrowser("the language of the page", () => {
  test("is the browser's, with its numbers, and fits on a phone", async ({ visit }) => {
    const { page } = await visit({ profile: { locale: "de-DE" }, expected: [answered(422)] })
    const form = page.getByRole("region", { name: "Tauschen", exact: true })
    await form.waitFor()
    expect(await page.evaluate(() => [document.documentElement.lang, document.title])).toEqual([
      "de",
      "GeoSwap: zwischen Chains tauschen"
    ])
    // A decimal comma is read as one.
    const amount = form.getByLabel("Betrag", { exact: true })
    const asked = page.waitForRequest("**/swap/quote")
    await amount.fill("1500,5")
    expect((await asked).postDataJSON()).toMatchObject({ amount: "1500500000" })
    await page.locator("button:enabled", { hasText: "Tausch prüfen" }).waitFor()
    expect(await page.getByTestId("output-amount").innerText()).toMatch(/^[\d.]*\d,\d+$/)
    expect(await inspect(page, "German form", { repeats: true })).toEqual([])
    // It is not a guess what 1.500 means.
    await amount.fill("1.500")
    await form.getByText("Meinen Sie 1500 oder 1,500?").waitFor()
    await form.getByRole("button", { name: "Max." }).click()
    expect(await amount.inputValue()).toMatch(/^\d+(,\d+)?$/)
    await amount.fill("1500,5")
    await page.getByRole("button", { name: "Tausch prüfen" }).click()
    const review = page.getByRole("dialog", { name: "Prüfen Sie Ihren Tausch" })
    expect(await review.innerText()).toMatch(/Sie zahlt genau 1\.500,5\sUSDC auf devnet-a/)
    expect(await inspect(page, "German review", { repeats: true })).toEqual([])
  })

  test("can be chosen, keeps what was entered, and is remembered", async ({ visit }) => {
    const { form, page } = await visit()
    await form.getByLabel("Amount", { exact: true }).fill("12.5")
    await page.getByLabel("Language").selectOption("Deutsch")
    const german = page.getByRole("region", { name: "Tauschen", exact: true })
    await german.waitFor()
    expect(await german.getByLabel("Betrag", { exact: true }).inputValue()).toBe("12.5")
    await page.reload()
    await german.waitFor()
    await page.getByLabel("Sprache").selectOption("English")
    await form.waitFor()
  })

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
