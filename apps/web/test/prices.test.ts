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
  test("is refreshed before it expires, without layout shifts", async ({ stack, visit }) => {
    const visitor = await visit({ wallets: ["carol"], clock: true })
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
  })

  test("that improved or stayed above the minimum is accepted with a note in the review", async ({ stack, visit }) => {
    const { openReview, page, quoted, review } = await visit(priced)
    await quoted()
    await openReview()
    stack.venue.move(1_003)
    await page.clock.fastForward(25_000)
    await review.getByText(/Price refreshed: 0\.\d+% worse than before/).waitFor()
    stack.venue.move(980)
    await page.clock.fastForward(25_000)
    await review.getByText(/Price refreshed: [12]\.\d+% better than before/).waitFor()
    expect(await review.getByRole("button", { name: "Confirm and sign" }).isEnabled()).toBe(true)
  })

  test("that fell below the minimum must be accepted before signing", async ({ stack, visit }) => {
    const { confirm, openReview, page, quoted, review, step, monitor } = await visit(priced)
    const shown = await quoted()
    await openReview()
    stack.venue.move(1_050)
    await page.clock.fastForward(25_000)
    const accept = review.getByRole("button", { name: "Accept the new price" })
    await accept.waitFor()
    expect(await review.getByRole("alert").innerText()).toContain(shown)
    const sign = review.getByRole("button", { name: "Confirm and sign" })
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

  test("that expired is not shown, and a new one appears automatically", async ({ stack, visit }) => {
    const { form, page, quoted, main } = await visit({ ...priced, expected: [answered(503)] })
    await quoted()
    stack.venue.open(false)
    await page.clock.fastForward(31_000)
    await form.getByText("The service cannot be reached.").waitFor()
    expect(await page.getByTestId("output-amount").innerText()).toBe("0")
    expect(await main.isDisabled()).toBe(true)
    stack.venue.open(true)
    await page.clock.fastForward(15_000)
    await quoted()
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
    await review.getByRole("checkbox", { name: /^I accept a total cost of up to 5% of the value/ }).check()
    await confirm()
    await step("delivery", "done").waitFor()
    expect((await stack.swaps()).at(-1)?.amount).toBe(5_000_000_000n)
  })

  test("costs what the two values differ by, and its parts add up to that", async ({ visit }) => {
    const { detail, form, quoted } = await visit({
      wallets: ["carol"],
      route,
      before: ({ page }) =>
        page.route("**/swap/quote", async (intercepted) => {
          const response = await intercepted.fetch()
          const quote = (await response.json()) as object
          // The share is rounded to whole basis points: 12 of 12.19.
          const values = { inputUsd: "20000.00", outputUsd: "19975.62", priceImpactBps: -12 }
          const json = { ...quote, ...values, feeBps: 8, feeDiscount: undefined, networkCost: "3" }
          await intercepted.fulfill({ response, json })
        })
    })
    await quoted()
    expect(await form.locator(".quote-cost").innerText()).toMatch(/^Cost\s+\$24\.38 \(0\.12%\)$/)
    expect(await detail("Fee")).toBe("$16.00 (0.08%)")
    expect(await detail("Network cost")).toMatch(/^<?\$0\.01 /)
    expect(await detail("Price impact")).toMatch(/^\$8\.3\d \(0\.04%\)$/)
    expect(await detail("Total cost")).toBe("$24.38 (0.12%)")
  })

  test("shows the network cost of a small swap apart from its price impact, with one total", async ({ visit }) => {
    const { detail, openReview, quoted, review } = await visit({
      wallets: ["carol"],
      route: { ...route, amount: "5" },
      before: ({ page }) =>
        // A small swap on an expensive chain: a quarter of the input pays for gas.
        page.route("**/swap/quote", async (intercepted) => {
          const response = await intercepted.fetch()
          const quote = (await response.json()) as { readonly feeBps: number }
          const json = {
            ...quote,
            inputUsd: "5.00",
            outputUsd: "3.80",
            networkCost: "1150000",
            priceImpactBps: -(2_300 + quote.feeBps),
            warnings: [{ code: "HIGH_PRICE_IMPACT", message: "" }]
          }
          await intercepted.fulfill({ response, json })
        })
    })
    await quoted()
    expect(await detail("Network cost")).toBe("$1.15 (23%)")
    expect(await detail("Price impact")).toBe("$0.00 (0%)")
    expect(await detail("Fee")).toMatch(/(<\$0\.01|\$0\.0\d) \(0\.\d+%\)/)
    expect(await detail("Total cost")).toMatch(/^\$1\.1\d \(23\.\d+%\), high$/)
    // The protocol's warning still needs a consent, which says what costs so much.
    await openReview()
    const consent = review.getByRole("checkbox")
    expect(await consent.locator("xpath=..").innerText()).toMatch(
      /I accept a total cost of up to 23\.5% of the value\s+Now \$1\.1\d\. Most of it is the network cost/
    )
    expect(await review.getByText("losing").count()).toBe(0)
    expect(await review.getByRole("button", { name: "Confirm and sign" }).isDisabled()).toBe(true)
  })

  test("is not requested for an amount that is invalid or exceeds the balance", async ({ stack, visit }) => {
    const { units } = await balanceOn(stack, route.from, "dave")
    // The service has too little for the estimate of a large amount.
    const { choose, form, monitor, main } = await visit({
      wallets: ["dave"],
      route: { ...route, amount: "" },
      expected: [answered(503)]
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
  })

  test("is requested for an amount that the page suggests in place of an unclear one", async ({ visit }) => {
    const { button, form, main, quoted } = await visit({ wallets: ["bob"], route: { ...route, amount: "" } })
    const amount = form.getByLabel("Amount", { exact: true })
    for (const [entered, suggested] of [
      ["1,5", "1.5"],
      ["1,500", "1500"],
      ["1,500", "1.500"],
      ["1 000", "1000"]
    ] as const) {
      await amount.fill(entered)
      await expect.poll(() => main.innerText()).toBe("Check the amount")
      await button(suggested).click()
      expect(await amount.inputValue()).toBe(suggested)
      await quoted()
    }
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

  test("is refused with a message for an amount that does not cover the network cost", async ({ visit }) => {
    const { form, quoted } = await visit({ wallets: ["bob"], route, expected: [answered(422)] })
    const amount = form.getByLabel("Amount", { exact: true })
    await quoted()
    const value = form.getByTitle("Switch between tokens and dollars")
    expect(await value.innerText()).toMatch(/^\$(100\.00|99\.9\d)$/)
    await amount.fill("0.000001")
    await form.getByText("This amount is too small to cover the network cost.").waitFor()
    expect(await value.innerText()).toBe("<$0.01")
    // The message names an amount that is enough.
    const message = plain(await form.locator(".messages").innerText())
    const [, minimum = ""] = /Enter at least (0\.\d+) USDC\./.exec(message) ?? []
    await amount.fill(minimum)
    await quoted()
    await amount.fill(route.amount)
    await quoted()
    expect(await form.getByText("This amount is too small").count()).toBe(0)
  })

  test("is retried with a message if the service is busy", async ({ stack, visit }) => {
    const { address, confirm, form, openReview, page, quoted, step, monitor } = await visit({
      wallets: ["bob"],
      route: { ...route, amount: "" },
      expected: [answered(429)]
    })
    await form.getByText("Balance").first().waitFor()
    /** Uses up the visitor's rate limit of an endpoint: the page's next requests are refused. */
    const refuse = (path: string, options: { readonly times?: number } = {}) =>
      page.route(
        `**/swap/${path}`,
        async (intercepted) => {
          const ask = () =>
            fetch(`${stack.url}/web/api/swap/${path}`, {
              method: "POST",
              headers: { "content-type": "application/json", "x-forwarded-for": address },
              body: "{}"
            })
          for (;;) {
            const answers = await Promise.all(Array.from({ length: 30 }, ask))
            const refusal = answers.find(({ status }) => status === 429)
            if (refusal === undefined) continue
            const headers = Object.fromEntries(
              ["content-type", "retry-after"].map((name) => [name, refusal.headers.get(name) ?? ""])
            )
            return intercepted.fulfill({ status: 429, headers, body: await refusal.text() })
          }
        },
        options
      )
    await refuse("quote")
    await form.getByLabel("Amount", { exact: true }).fill(route.amount)
    await form.getByText("The service is busy.").waitFor()
    await page.unroute("**/swap/quote")
    await quoted()
    await openReview()
    await refuse("build-geo-op", { times: 1 })
    await refuse("submit", { times: 1 })
    await confirm()
    await step("delivery", "done").waitFor()
    expect(monitor.count("/web/api/swap/build-geo-op")).toBeGreaterThan(1)
    expect(monitor.count("/web/api/swap/submit")).toBeGreaterThan(1)
  })
})
