import type { ChainInfo } from "@geoswap/core/promise"
import { expect } from "vitest"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { delegate } from "./stack/chains.js"
import { chainA, chainB, on, plain, walletOf } from "./stack/balances.js"
import { injectedWallet } from "./wallets/injectedWallet.js"
import type { ScriptedWallet } from "./wallets/scriptedWallet.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }

describeInBrowser("what somebody reviews", () => {
  test("is closed, with the reason, when the wallet shows another account", async ({ stack, visit }) => {
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
    const words = form.getByText("The wallet changed, so the review was closed. Look at it again.")
    await words.waitFor()
    expect(await form.getByRole("heading", { name: "Swap" }).evaluate((it) => it === document.activeElement)).toBe(true)
    expect(monitor.count("/web/api/swap/build-geo-op")).toBe(0)
    expect(await openReview()).toContain(carol.address)
    expect(await words.count()).toBe(0)
    await button("Back").click()
  })

  test("is not offered before it is known whether the wallet has to delegate", async ({ visit }) => {
    const held: { go?: () => void } = {}
    const gate = new Promise<void>((resolve) => {
      held.go = resolve
    })
    const { button, choose, connect, form, openReview, page, quoted } = await visit({
      before: ({ page }) =>
        page.route("**/swap/delegation*", async (asked) => {
          await gate
          await asked.continue()
        })
    })
    await connect("bob")
    await choose(route)
    await form.getByText("Asking whether the wallet has to delegate first.").waitFor()
    await expect.poll(() => page.getByTestId("output-amount").innerText()).toMatch(/[1-9]/)
    expect(await button("Review swap").isDisabled()).toBe(true)
    held.go?.()
    await quoted()
    expect(await openReview()).toMatch(/You sign (one|two) thing/)
  })

  test("is not offered where that cannot be read, and can be asked again", async ({ visit }) => {
    const { button, choose, connect, form, page, quoted } = await visit({
      expected: [answered(400)],
      before: ({ page }) =>
        page.route("**/swap/delegation*", (asked) =>
          asked.fulfill({ status: 400, contentType: "application/json", body: '{"code":"ODD","message":"odd"}' })
        )
    })
    await connect("bob")
    await choose(route)
    const again = button("Ask again about the delegation")
    await again.waitFor()
    expect(await button("Review swap").isDisabled()).toBe(true)
    await page.unroute("**/swap/delegation*")
    await again.click()
    await quoted()
    expect(await again.count()).toBe(0)
    await form.waitFor()
  })

  test("never goes to an address with a typing error", async ({ visit }) => {
    const { button, choose, connect, form, page, quoted } = await visit()
    await connect("bob")
    await choose(route)
    await quoted()
    await button("Send to another address").click()
    const field = form.getByLabel("Recipient")
    await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true)
    // What was opened takes the focus once.
    const priced = page.waitForResponse("**/swap/quote")
    await form.getByLabel("Amount", { exact: true }).fill("110")
    await priced
    await quoted()
    expect(await form.getByLabel("Amount", { exact: true }).evaluate((it) => it === document.activeElement)).toBe(true)
    await field.fill("0x00000000000000000000000000000000000A11ce")
    await form
      .getByText("This address has a typo: its capital letters do not match its checksum. Copy it again.")
      .waitFor()
    expect(await button("Review swap").isDisabled()).toBe(true)
    await field.fill("0x00000000000000000000000000000000000A11cE")
    await quoted()
    await field.fill("0x00000000000000000000000000000000000a11ce")
    await quoted()
  })

  test("is the amount that was typed, whatever the API says about decimals and symbols", async ({ visit }) => {
    const { choose, connect, openReview, page, quoted } = await visit({
      before: ({ page }) =>
        page.route("**/swap/chains", async (asked) => {
          const answer = await asked.fetch()
          const { chains } = (await answer.json()) as { readonly chains: ReadonlyArray<ChainInfo> }
          const lying = chains.map((chain) => ({
            ...chain,
            name: `not ${chain.name}`,
            tokens: chain.tokens.map((token) => ({ ...token, symbol: "PLAY", decimals: token.decimals + 3 }))
          }))
          await asked.fulfill({ response: answer, json: { chains: lying } })
        })
    })
    await connect("bob")
    const asked = page.waitForRequest("**/swap/quote")
    await choose(route)
    expect((await asked).postDataJSON()).toMatchObject({ amount: "100000000" })
    await quoted()
    const words = await openReview()
    expect(words).toContain("100 USDC")
    expect(words).toContain("100000000 smallest units")
    expect(words).not.toMatch(/PLAY|not devnet/)
  })

  test("needs a separate consent to a slippage above 5%, with the amount at risk", async ({ visit }) => {
    const { button, choose, connect, form, openReview, page, quoted, review } = await visit()
    const slip = async (text: string) => {
      await button("Settings").click()
      await form.getByLabel("Slippage in percent").fill(text)
      await page.keyboard.press("Escape")
    }
    await connect("bob")
    await choose(route)
    await slip("51")
    await form.getByText("Slippage is at most 50%.").last().waitFor()
    expect(await button("Review swap").isDisabled()).toBe(true)
    await slip("5")
    await quoted()
    await openReview()
    expect(await review.getByRole("checkbox").count()).toBe(0)
    await button("Back").click()
    await slip("20")
    await quoted()
    await openReview()
    const consent = review.getByLabel(/^I accept receiving only [\d.]+ WETH/)
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
