/** Prices in more states. */
import { expect } from "vitest"
import { answered, describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, on } from "./stack/balances.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }

describeInBrowser("a price on the page", () => {
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
