import type { ChainInfo } from "@geoswap/core/promise"
import { expect } from "vitest"
import { describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, on, plain } from "./stack/balances.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }

describeInBrowser("the review", () => {
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
})
