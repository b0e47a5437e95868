import type { ChainInfo } from "@geoswap/core/promise"
import { expect } from "vitest"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { delegate } from "./stack/chains.js"
import { chainA, chainB, on, plain, walletOf } from "./stack/balances.js"
import { injectedWallet } from "./wallets/injectedWallet.js"
import type { ScriptedWallet } from "./wallets/scriptedWallet.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }

describeInBrowser("the review", () => {
  test("closes with a reason when the wallet switches accounts", async ({ stack, visit }) => {
    const { evmA } = stack.devnet
    const [carol, dave] = [walletOf(stack, "carol"), walletOf(stack, "dave")]
    for (const { address } of [carol, dave]) await delegate(evmA, address, evmA.contracts.account)
    const wallet: { current?: ScriptedWallet } = {}
    const { button, choose, connect, form, openReview, page, review, monitor } = await visit({
      before: async ({ page }) => {
        wallet.current = await injectedWallet(page.context(), "Foxglove", [dave.privateKey, carol.privateKey])
      }
    })
    await connect("Foxglove")
    await choose(route)
    expect(await openReview()).toContain(dave.address)
    await wallet.current?.show(page, carol.address)
    await review.waitFor({ state: "hidden" })
    const message = form.getByText("The wallet changed, so the review was closed. Review the swap again.")
    await message.waitFor()
    expect(await form.getByRole("heading", { name: "Swap" }).evaluate((it) => it === document.activeElement)).toBe(true)
    expect(monitor.count("/web/api/swap/build-geo-op")).toBe(0)
    expect(await openReview()).toContain(carol.address)
    expect(await message.count()).toBe(0)
    await button("Back").click()
  })

  test("is not available until the delegation of the wallet is known", async ({ visit }) => {
    const held: { go?: () => void } = {}
    const gate = new Promise<void>((resolve) => {
      held.go = resolve
    })
    const { choose, connect, form, openReview, page, quoted, main } = await visit({
      before: ({ page }) =>
        page.route("**/swap/delegation*", async (intercepted) => {
          await gate
          await intercepted.continue()
        })
    })
    await connect("bob")
    await choose(route)
    await form.getByText("Checking whether your wallet needs a delegation.").waitFor()
    await expect.poll(() => page.getByTestId("output-amount").innerText()).toMatch(/[1-9]/)
    expect(await main.isDisabled()).toBe(true)
    held.go?.()
    await quoted()
    expect(await openReview()).toMatch(/You sign (once|twice)/)
  })

  test("is not available if the delegation cannot be read, which can be retried", async ({ visit }) => {
    const { button, choose, connect, form, page, quoted, main } = await visit({
      expected: [answered(400)],
      before: ({ page }) =>
        page.route("**/swap/delegation*", (intercepted) =>
          intercepted.fulfill({ status: 400, contentType: "application/json", body: '{"code":"ODD","message":"odd"}' })
        )
    })
    await connect("bob")
    await choose(route)
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
    const { button, choose, connect, form, page, quoted, main } = await visit()
    await connect("bob")
    await choose(route)
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
    const { choose, connect, openReview, page, quoted } = await visit({
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
    await connect("bob")
    const quoteRequest = page.waitForRequest("**/swap/quote")
    await choose(route)
    expect((await quoteRequest).postDataJSON()).toMatchObject({ amount: "100000000" })
    await quoted()
    const text = plain(await openReview())
    expect(text).toContain("100 USDC")
    expect(text).toContain("100000000 units")
    expect(text).not.toMatch(/PLAY|not devnet/)
  })

  test("is not available with a slippage that cannot be read", async ({ visit }) => {
    const { button, choose, connect, form, main, page, quoted } = await visit()
    await connect("bob")
    await choose(route)
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
    const { button, choose, connect, form, openReview, page, quoted, review, main } = await visit()
    const slip = async (text: string) => {
      await button("Settings").click()
      await form.getByLabel("Slippage in percent").fill(text)
      await page.keyboard.press("Escape")
    }
    await connect("bob")
    await choose(route)
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
