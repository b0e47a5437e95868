import type { Route } from "playwright-core"
import { expect } from "vitest"
import type { SwapPage } from "./browser/swapPage.js"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { delegate } from "./stack/chains.js"
import { balanceOn, chainA, chainB, on, plain, walletOf } from "./stack/balances.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }

const secondsOf = async ({ page }: SwapPage): Promise<number> =>
  Number(/(\d+) s/.exec(await page.getByTestId("countdown").last().innerText())?.[1] ?? 0)

/** A visit with a price, and a clock that the test can advance. */
const priced = { wallets: ["carol"], route, clock: true }

describeInBrowser("a price on the page", () => {
  test("is refreshed before it expires, without layout shifts, and is not shown once it has expired", async ({
    stack,
    visit
  }) => {
    const visitor = await visit({ wallets: ["carol"], clock: true, expected: [answered(503)] })
    const { choose, form, page, quoted, monitor, main } = visitor
    await form.getByText("Balance").first().waitFor()
    const position = await main.boundingBox()
    expect(position).not.toBeNull()
    await choose(route)
    const shown = await quoted()
    expect(await main.boundingBox()).toEqual(position)
    // From here on, only the test advances the page's clock.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2_000))
    const before = monitor.count("/web/api/swap/quote")
    stack.venue.move(990)
    await page.clock.runFor((await secondsOf(visitor)) * 1_000 - 9_000)
    expect(await secondsOf(visitor)).toBeLessThan(11)
    expect(monitor.count("/web/api/swap/quote")).toBe(before)
    expect(await main.boundingBox()).toEqual(position)
    await page.clock.runFor(5_000)
    const laterSeconds = async () => {
      await page.clock.runFor(10)
      return secondsOf(visitor)
    }
    await expect.poll(laterSeconds).toBeGreaterThan(25)
    expect(monitor.count("/web/api/swap/quote")).toBe(before + 1)
    await page.clock.resume()
    expect(Number(await quoted())).toBeGreaterThan(Number(shown))
    expect(await main.boundingBox()).toEqual(position)
    stack.venue.open(false)
    await page.clock.fastForward(31_000)
    await form.getByText("The service cannot be reached.").waitFor()
    expect(await page.getByTestId("output-amount").innerText()).toBe("0")
    expect(await main.isDisabled()).toBe(true)
    // A new one appears automatically.
    stack.venue.open(true)
    await page.clock.fastForward(15_000)
    await quoted()
  })

  test("is accepted with a note in the review if it stayed above the minimum, and before signing if it fell below", async ({
    stack,
    visit
  }) => {
    const { confirm, openReview, page, quoted, review, step, monitor } = await visit(priced)
    const shown = await quoted()
    await openReview()
    stack.venue.move(1_003)
    await page.clock.fastForward(25_000)
    await review.getByText(/Price refreshed: 0\.\d+% worse than before/).waitFor()
    stack.venue.move(980)
    await page.clock.fastForward(25_000)
    await review.getByText(/Price refreshed: [12]\.\d+% better than before/).waitFor()
    const sign = review.getByRole("button", { name: "Confirm and sign" })
    expect(await sign.isEnabled()).toBe(true)
    stack.venue.move(1_050)
    await page.clock.fastForward(25_000)
    const accept = review.getByRole("button", { name: "Accept the new price" })
    await accept.waitFor()
    expect(await review.getByRole("alert").innerText()).toContain(shown)
    expect(await sign.isDisabled()).toBe(true)
    // The next refresh does not make it acceptable either.
    await page.clock.fastForward(25_000)
    expect(await sign.isDisabled()).toBe(true)
    expect(monitor.count("/web/api/swap/build-geo-op")).toBe(0)
    await accept.click()
    await confirm()
    await step("delivery", "done").waitFor()
    expect((await stack.swaps()).at(-1)?.output).toBeLessThan(BigInt(Math.floor(Number(shown) * 0.96 * 1e18)))
  })

  test("that expired before the signature is confirmed again in the same dialog", async ({ stack, visit }) => {
    const { evmA } = stack.devnet
    await delegate(evmA, walletOf(stack, "carol").address, undefined)
    const { confirm, openReview, page, quoted, review, step, monitor } = await visit(priced)
    await quoted()
    await openReview()
    // The delegation response takes as long as a quote is valid.
    const late = async (intercepted: Route) => {
      await page.clock.fastForward(29_000)
      await intercepted.continue()
    }
    await page.route("**/swap/delegation?**", late, { times: 1 })
    stack.venue.move(1_050)
    await confirm()
    const accept = review.getByRole("button", { name: "Accept the new price" })
    await accept.waitFor()
    expect(await step("sign", "done").count()).toBe(0)
    await accept.click()
    await step("delivery", "done").waitFor()
    expect(monitor.count("/web/api/swap/submit")).toBe(1)
  })

  test("with a high loss needs a separate consent", async ({ stack, visit }) => {
    const { confirm, detail, openReview, quoted, review, step } = await visit({
      wallets: ["carol"],
      route: { ...route, amount: "5000" }
    })
    await quoted()
    expect(await detail("Total cost")).toMatch(/^\$2\d\d\.\d\d \(4\.\d+%\), high/)
    expect(await detail("Price impact")).toMatch(/^\$2\d\d\.\d\d \(4\.\d+%\)$/)
    await openReview()
    const sign = review.getByRole("button", { name: "Confirm and sign" })
    expect(await sign.isDisabled()).toBe(true)
    const consent = review.getByRole("checkbox", { name: /^I accept a total cost of up to 5% of the value/ })
    expect(await consent.locator("xpath=..").innerText()).toContain("Most of it is price impact")
    await consent.check()
    await confirm()
    await step("delivery", "done").waitFor()
    expect((await stack.swaps()).at(-1)?.amount).toBe(5_000_000_000n)
  })

  test("is not requested for an amount that is invalid or exceeds the balance, and is refused if it is too small", async ({
    stack,
    visit
  }) => {
    const { units } = await balanceOn(stack, route.from, "dave")
    // The service has too little for the estimate of a large amount.
    const { button, choose, form, monitor, main, quoted } = await visit({
      wallets: ["dave"],
      route: { ...route, amount: "" },
      expected: [answered(503), answered(422)]
    })
    // The page quotes any amount as long as it does not know the balance.
    await form.getByText("Balance").first().waitFor()
    // An estimate reserves nothing.
    const firm = () =>
      monitor.sent.filter(({ body, path }) => path.endsWith("/quote") && !body.includes("indicative")).length
    const before = firm()
    const field = form.getByLabel("Amount", { exact: true })
    const problems = [
      ["20000", `Your balance is ${units / 1_000_000n} USDC.`],
      ["abc", "Enter a number such as 1.5."],
      ["1e3", "Enter a number such as 1.5."],
      ["1,5", "Did you mean 1.5?"],
      ["1,500", "Did you mean 1500 or 1.500?"],
      ["1 000", "Enter 1000, without spaces."],
      ["0.0000001", "USDC has 6 decimals, but this amount has 7."],
      ["-5", "Enter an amount greater than 0."]
    ] as const
    for (const [amount, message] of problems) {
      await field.fill(amount)
      await expect
        .poll(async () => plain(await form.locator("#amount-error").innerText()), { message: amount })
        .toBe(message)
      expect(await field.getAttribute("aria-invalid")).toBe("true")
      expect(await main.isDisabled()).toBe(true)
    }
    await choose({ ...route, to: route.from })
    await form.getByText("Choose a different token or chain.").waitFor()
    // 0 may become 0.5: it is not an error yet.
    await field.fill("0")
    await choose({ ...route, amount: "0" })
    await form.getByRole("button", { name: "Enter an amount" }).waitFor()
    expect(await main.isDisabled()).toBe(true)
    expect(firm()).toBe(before)
    // The page suggests an amount in place of an unclear one.
    await field.fill("1,500")
    await expect.poll(() => main.innerText()).toBe("Check the amount")
    await button("1500").click()
    expect(await field.inputValue()).toBe("1500")
    await quoted()
    await field.fill("0.000001")
    await form.getByText("This amount is too small to cover the network cost.").waitFor()
    expect(await form.getByTitle("Switch between tokens and dollars").innerText()).toBe("<$0.01")
    // The message names an amount that is enough.
    const message = plain(await form.locator(".messages").innerText())
    const [, minimum = ""] = /Enter at least (0\.\d+) USDC\./.exec(message) ?? []
    await field.fill(minimum)
    await quoted()
    await field.fill(route.amount)
    await quoted()
    expect(await form.getByText("This amount is too small").count()).toBe(0)
  })

  test("is an estimate until a wallet is connected, and the main button says what is missing", async ({ visit }) => {
    const { choose, connect, form, main, monitor, page, quoted, wallets } = await visit({
      expected: [answered(503)],
      // No wallet from an earlier visit, and none of the test wallets.
      stored: { "geoswap.wallets": JSON.stringify({ evm: "none", solana: "none" }) }
    })
    const amount = form.getByLabel("Amount", { exact: true })
    await expect.poll(() => main.innerText()).toBe("Connect wallet")
    await choose(route)
    await expect.poll(() => page.getByTestId("output-amount").innerText()).toMatch(/^0\.02\d+$/)
    expect(await page.getByTestId("countdown").innerText()).toBe("Estimate, not a firm price")
    expect(await form.locator(".quote-cost").innerText()).toMatch(/^Cost\s+\$0\.\d\d \(0\.\d+%\)$/)
    expect(
      monitor.sent.filter(({ path }) => path.endsWith("/quote")).every(({ body }) => body.includes("indicative"))
    ).toBe(true)
    // The button opens the wallets, and goes on to the review from there.
    await main.click()
    await wallets.waitFor()
    await page.keyboard.press("Escape")
    await connect("dave")
    await quoted()
    expect(await main.innerText()).toBe("Review swap")
    await amount.fill("")
    expect(await main.innerText()).toBe("Enter an amount")
    await amount.fill("12000")
    await expect.poll(() => main.innerText()).toBe("Insufficient USDC")
    // The value stays, and the message states the balance.
    await expect
      .poll(() => form.getByTitle("Switch between tokens and dollars").innerText())
      .toMatch(/^\$(12,000\.00|11,99\d\.\d\d)$/)
    expect(await form.locator("#amount-error").innerText()).toContain("Your balance is ")
    expect(await main.isDisabled()).toBe(true)
    // The price is still there to compare.
    await expect.poll(() => page.getByTestId("output-amount").innerText()).toMatch(/^\d+\.\d+$/)
  })
})
