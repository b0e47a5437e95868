import { expect } from "vitest"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, on, plain } from "./stack/balances.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }
const asBob = { wallets: ["bob"], route }

describeInBrowser("the review", () => {
  test("is not available until the delegation of the wallet is known, which can be read again", async ({ visit }) => {
    const held: { go?: () => void } = {}
    const gate = new Promise<void>((resolve) => {
      held.go = resolve
    })
    const { button, form, openReview, page, quoted, main } = await visit({
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
    await page.route("**/swap/delegation*", async (intercepted) => {
      await gate
      await intercepted.continue()
    })
    await retry.click()
    await form.getByText("Checking whether your wallet needs a delegation.").waitFor()
    await expect.poll(() => page.getByTestId("output-amount").innerText()).toMatch(/[1-9]/)
    expect(await main.isDisabled()).toBe(true)
    held.go?.()
    await quoted()
    expect(await retry.count()).toBe(0)
    expect(await openReview()).toMatch(/You sign (once|twice)/)
  })

  test("is not available with a slippage that cannot be read, and needs a separate consent to one above 5%", async ({
    visit
  }) => {
    const { button, form, main, openReview, page, quoted, review } = await visit(asBob)
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
