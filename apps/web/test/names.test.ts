import { expect } from "vitest"
import { inspect } from "../../../tooling/testing/browser/inspect.js"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, on, walletOf } from "./stack/balances.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "20" }

describeInBrowser("the name of a recipient", () => {
  test("is used only after its address was shown and confirmed", async ({ stack, visit }) => {
    const { button, confirm, form, main, openReview, page, quoted, step } = await visit({
      wallets: ["bob"],
      route,
      expected: [answered(404), answered(400)]
    })
    const address = "0x00000000000000000000000000000000000A11cE"
    await button("Send to a different address").click()
    const field = form.getByLabel("Recipient", { exact: true })
    await field.fill("missing.eth")
    await form.getByText("missing.eth has no address on devnet-b.").waitFor()
    await field.fill("a_b-.eth")
    await form.getByText("a_b-.eth is not a valid name.").waitFor()
    await field.fill("old.eth")
    await form.getByText("This is its address on Ethereum.").waitFor()
    await field.fill("Alice.eth")
    await form.getByText("alice.eth has this address on devnet-b:").waitFor()
    await form.getByText(address).waitFor()
    expect(await form.getByText("This is its address on Ethereum.").count()).toBe(0)
    expect(await inspect(page, "name", { repeats: true })).toEqual([])
    // Nothing is offered for a name.
    expect(await main.isDisabled()).toBe(true)
    await button("Use this address").click()
    expect(await field.inputValue()).toBe(address)
    await form.getByText("The address of alice.eth.").waitFor()
    await quoted()
    const review = await openReview()
    expect(review).toContain("to alice.eth on devnet-b")
    expect(review.toLowerCase()).toContain(address.toLowerCase())
    await confirm()
    await step("delivery", "done").waitFor()
    const { recipient, wallet } = (await stack.swaps()).at(-1) ?? {}
    expect(recipient?.toLowerCase()).toBe(address.toLowerCase())
    expect(wallet?.toLowerCase()).toBe(walletOf(stack, "bob").address.toLowerCase())
  })

  test("is not looked up if the site has no registry", async ({ visit }) => {
    const { button, form, monitor } = await visit({
      wallets: ["bob"],
      route,
      before: ({ page }) =>
        page.route("**/web/config.json", async (intercepted) => {
          const response = await intercepted.fetch()
          const { names: _, ...config } = (await response.json()) as { readonly names?: boolean }
          await intercepted.fulfill({ response, json: config })
        })
    })
    await button("Send to a different address").click()
    await form.getByLabel("Recipient", { exact: true }).fill("alice.eth")
    await form.getByText("This page cannot look up names. Enter the address.").waitFor()
    expect(monitor.sent.filter(({ path }) => path.startsWith("/web/names"))).toEqual([])
  })
})
