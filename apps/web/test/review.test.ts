import type { ChainInfo } from "@geoswap/core/promise"
import { expect } from "vitest"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, on, plain } from "./stack/balances.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }
const asBob = { wallets: ["bob"], route }

describeInBrowser("the review", () => {
  test("is not available until the delegation of the wallet is known", async ({ visit }) => {
    const held: { go?: () => void } = {}
    const gate = new Promise<void>((resolve) => {
      held.go = resolve
    })
    const { form, openReview, page, quoted, main } = await visit({
      ...asBob,
      before: ({ page }) =>
        page.route("**/swap/delegation*", async (intercepted) => {
          await gate
          await intercepted.continue()
        })
    })
    await form.getByText("Checking whether your wallet needs a delegation.").waitFor()
    await expect.poll(() => page.getByTestId("output-amount").innerText()).toMatch(/[1-9]/)
    expect(await main.isDisabled()).toBe(true)
    held.go?.()
    await quoted()
    expect(await openReview()).toMatch(/You sign (once|twice)/)
  })

  test("is not available if the delegation cannot be read, which can be retried", async ({ visit }) => {
    const { button, form, page, quoted, main } = await visit({
      ...asBob,
      expected: [answered(400)],
      before: ({ page }) =>
        page.route("**/swap/delegation*", (intercepted) =>
          intercepted.fulfill({ status: 400, contentType: "application/json", body: '{"code":"ODD","message":"odd"}' })
        )
    })
    const retry = button("Check the delegation again")
    await retry.waitFor()
    expect(await main.isDisabled()).toBe(true)
    await page.unroute("**/swap/delegation*")
    await retry.click()
    await quoted()
    expect(await retry.count()).toBe(0)
    await form.waitFor()
  })

  test("is not available for a recipient with an invalid checksum", async ({ visit }) => {
    const { button, form, page, quoted, main } = await visit(asBob)
    await quoted()
    await button("Send to a different address").click()
    const field = form.getByLabel("Recipient")
    await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true)
    // The opened field takes the focus once.
    const priced = page.waitForResponse("**/swap/quote")
    await form.getByLabel("Amount", { exact: true }).fill("110")
    await priced
    await quoted()
    expect(await form.getByLabel("Amount", { exact: true }).evaluate((it) => it === document.activeElement)).toBe(true)
    await field.fill("0x00000000000000000000000000000000000A11ce")
    await form.getByText("This address has an invalid checksum, so it contains a typo. Copy it again.").waitFor()
    expect(await main.isDisabled()).toBe(true)
    await field.fill("0x00000000000000000000000000000000000A11cE")
    await quoted()
    await field.fill("0x00000000000000000000000000000000000a11ce")
    await quoted()
  })

  test("shows the entered amount even if the API lists other decimals and symbols", async ({ visit }) => {
    const { form, openReview, page, quoted } = await visit({
      wallets: ["bob"],
      route: { ...route, amount: "" },
      before: ({ page }) =>
        page.route("**/swap/chains", async (intercepted) => {
          const answer = await intercepted.fetch()
          const { chains } = (await answer.json()) as { readonly chains: ReadonlyArray<ChainInfo> }
          const lying = chains.map((chain) => ({
            ...chain,
            name: `not ${chain.name}`,
            tokens: chain.tokens.map((token) => ({ ...token, symbol: "PLAY", decimals: token.decimals + 3 }))
          }))
          await intercepted.fulfill({ response: answer, json: { chains: lying } })
        })
    })
    const quoteRequest = page.waitForRequest("**/swap/quote")
    await form.getByLabel("Amount", { exact: true }).fill(route.amount)
    expect((await quoteRequest).postDataJSON()).toMatchObject({ amount: "100000000" })
    await quoted()
    const text = plain(await openReview())
    expect(text).toContain("100 USDC")
    expect(text).toContain("100000000 units")
    expect(text).not.toMatch(/PLAY|not devnet/)
  })

  test("is not available with a slippage that cannot be read", async ({ visit }) => {
    const { button, form, main, page, quoted } = await visit(asBob)
    await quoted()
    for (const [text, message] of [
      ["abc", "Enter a percentage such as 0.5."],
      ["0.001", "The smallest step is 0.01%."],
      ["101", "Enter at most 50%."]
    ] as const) {
      await button("Settings").click()
      await form.getByLabel("Slippage in percent").fill(text)
      await form.locator(".popover").getByText(message, { exact: true }).waitFor()
      await page.keyboard.press("Escape")
      await expect.poll(() => main.isDisabled()).toBe(true)
      expect(await main.innerText()).toBe("Check the slippage")
      expect(await form.innerText()).not.toContain("basis points")
    }
    const asked = page.waitForRequest("**/swap/quote")
    await button("Settings").click()
    await form.getByLabel("Slippage in percent").fill("0.29")
    expect((await asked).postDataJSON()).toMatchObject({ slippageBps: 29 })
    await page.keyboard.press("Escape")
    await quoted()
  })

  test("needs a separate consent to a slippage above 5%, with the amount at risk", async ({ visit }) => {
    const { button, form, openReview, page, quoted, review, main } = await visit(asBob)
    const slip = async (text: string) => {
      await button("Settings").click()
      await form.getByLabel("Slippage in percent").fill(text)
      await page.keyboard.press("Escape")
    }
    await slip("51")
    await form.getByText("The maximum slippage is 50%.").last().waitFor()
    expect(await main.isDisabled()).toBe(true)
    await slip("5")
    await quoted()
    await openReview()
    expect(await review.getByRole("checkbox").count()).toBe(0)
    await button("Back").click()
    await slip("20")
    await quoted()
    await openReview()
    const consent = review.getByLabel(/^I accept receiving only [\d.]+\sWETH/)
    await consent.waitFor()
    expect(plain(await review.innerText())).toMatch(
      /Your slippage puts 0\.00\d+ WETH at risk: 20% of the quoted output\./
    )
    expect(await button("Confirm and sign").isDisabled()).toBe(true)
    await consent.check()
    await expect.poll(() => button("Confirm and sign").isDisabled()).toBe(false)
    await consent.uncheck()
    expect(await button("Confirm and sign").isDisabled()).toBe(true)
  })
})
