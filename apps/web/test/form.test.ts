import { expect } from "vitest"
import { inspect } from "../../../tooling/testing/browser/inspect.js"
import { describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, chainS, on, plain, walletOf } from "./stack/balances.js"
import { tokenOf } from "./stack/chains.js"

const route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }

describeInBrowser("the form", () => {
  test("finds tokens by name, symbol, chain and address, shows balances, and remembers picks", async ({
    stack,
    visit
  }) => {
    const { form, page } = await visit({ wallets: ["bob"] })
    const opener = form.getByRole("button", { name: /^Receive / })
    const picker = page.getByRole("dialog", { name: "Receive" })
    const search = picker.getByRole("combobox")
    const options = picker.getByRole("option")
    await opener.click()
    const all = await options.count()
    // Every chain, and its native token.
    expect(all).toBeGreaterThan(8)
    await expect.poll(() => options.filter({ hasText: "USD Coin on devnet-a" }).innerText()).toMatch(/\d[\d,.]*$/)
    expect(await inspect(page, "token picker")).toEqual([])
    const first = () => options.first().innerText()
    const { address } = stack.devnet.evmB.tokens.find(({ symbol }) => symbol === "WETH") ?? { address: "" }
    for (const [query, expected] of [
      ["wrapped devnet-b", /WETH\s+Wrapped Ether on devnet-b/],
      ["sol", /SOL\s+Solana on devnet-solana/],
      [`${address} devnet-b`, /WETH\s+Wrapped Ether on devnet-b/],
      ["usdc devnet-s", /USDC\s+USD Coin on devnet-solana/]
    ] as const) {
      await search.fill(query)
      await expect.poll(first, { message: query }).toMatch(expected)
    }
    await search.fill("nothing like it")
    await picker.getByText("No token matches.").waitFor()
    await search.fill("")
    await picker.getByRole("button", { name: "devnet-b", exact: true }).click()
    expect(new Set((await options.allInnerTexts()).map((text) => / on (\S+)/.exec(text)?.[1]))).toEqual(
      new Set([chainB])
    )
    await options.filter({ hasText: "WETH" }).click()
    expect(await opener.getAttribute("title")).toBe("Receive WETH on devnet-b")
    await opener.click()
    await picker.getByRole("group", { name: "Recent" }).getByRole("button", { name: "WETH on devnet-b" }).click()
    await picker.waitFor({ state: "hidden" })
  })

  test("is shared by its address, without the recipient, and remembers the pair", async ({ stack, visit }) => {
    const { button, choose, form, page, quoted } = await visit({ wallets: ["bob"] })
    await choose(route)
    await quoted()
    await button("Send to a different address").click()
    await form.getByLabel("Recipient").fill("0x00000000000000000000000000000000000a11ce")
    const { evmA, evmB } = stack.devnet
    await expect.poll(() => new URL(page.url()).searchParams.get("amount")).toBe("100")
    const link = page.url()
    expect(link).toContain(`from=${evmA.id}:0x`)
    expect(link).toContain(`to=${evmB.id}:0x`)
    expect(link.toLowerCase()).not.toContain("a11ce")

    const amount = form.getByLabel("Amount", { exact: true })
    await page.goto(link)
    await quoted()
    expect(await amount.inputValue()).toBe("100")
    expect(await form.getByLabel("Recipient").count()).toBe(0)
    // A token that the page does not list is not replaced silently.
    await page.goto(`${stack.url}/?from=${evmA.id}:0x${"1".repeat(40)}&to=${evmB.id}&amount=100`)
    const unknown = form.getByText("This link names a token that this page does not list.")
    await unknown.waitFor()
    expect(await amount.inputValue()).toBe("")
    await amount.fill("1")
    await unknown.waitFor({ state: "hidden" })
    await choose({ ...route, amount: "100" })
    await quoted()
    // Without a link, the pair of the last visit, and no amount.
    await page.goto(stack.url)
    await form.getByRole("button", { name: "Receive WETH on devnet-b" }).waitFor()
    expect(await amount.inputValue()).toBe("")
  })

  test("shows what one token gets of a token with the same symbol, and names their chains", async ({ visit }) => {
    const { detail, quoted } = await visit({ wallets: ["bob"], route: { ...route, to: on(chainB, "USDC") } })
    await quoted()
    const rate = plain(await detail("Rate"))
    expect(rate).toMatch(/^1 USDC on devnet-a = 0\.99\d+ USDC on devnet-b$/)
  })

  test("carries the amount over when it is flipped, and takes shares of the balance and amounts in dollars", async ({
    visit
  }) => {
    const { button, choose, form, page, quoted } = await visit({ wallets: ["bob", "erin"], route })
    const shown = await quoted()
    await button("Swap direction").click()
    const amount = form.getByLabel("Amount", { exact: true })
    expect((await amount.inputValue()).startsWith(shown)).toBe(true)
    await form.getByRole("button", { name: "Pay with WETH on devnet-b" }).waitFor()
    await amount.fill("0.01")
    await quoted()
    await form.getByTitle("Switch between tokens and dollars").click()
    const dollars = form.getByLabel("Amount in dollars")
    expect(plain(await dollars.locator("xpath=..").innerText())).toBe("$")
    expect(await dollars.inputValue()).toMatch(/^(39|40)\.\d\d$/)
    const asked = page.waitForRequest("**/swap/quote")
    await dollars.fill("80")
    // At 4,000 dollars per token.
    const sent = (await asked).postDataJSON() as { readonly amount: string }
    expect(Number(sent.amount) / 1e18).toBeCloseTo(0.02, 3)
    await quoted()
    expect(await form.getByTitle("Switch between tokens and dollars").innerText()).toMatch(/^0\.0(199|2)\d*\sWETH$/)
    await form.getByTitle("Switch between tokens and dollars").click()
    expect(await amount.inputValue()).toMatch(/^0\.0(199|2)/)
    await button("Swap direction").click()
    await form.getByRole("button", { name: "Pay with USDC on devnet-a" }).waitFor()
    await button("Max").click()
    const all = Number(await amount.inputValue())
    expect(all).toBeGreaterThan(0)
    for (const percent of [25, 50, 75]) {
      await form.getByRole("button", { name: `${percent}%`, exact: true }).click()
      expect(Number(await amount.inputValue())).toBeCloseTo((all * percent) / 100, 4)
    }
    // A native token can only be received.
    await choose({ from: on(chainA, "USDC"), to: on(chainS, "SOL"), amount: "100" })
    await quoted()
    await button("Swap direction").click()
    const note = form.getByText("SOL can only be received, not paid. You now pay with USDC: enter an amount.")
    await note.waitFor()
    await form.getByRole("button", { name: "Pay with USDC on devnet-solana" }).waitFor()
    expect(await amount.inputValue()).toBe("")
    await amount.fill("5")
    await note.waitFor({ state: "hidden" })
  })

  test("knows test wallets and saved addresses by name, and says what is wrong with a recipient", async ({
    stack,
    visit
  }) => {
    const { button, form, main, openReview, page, quoted } = await visit({ wallets: ["bob"], route })
    await quoted()
    const [alice, erin] = [walletOf(stack, "alice"), walletOf(stack, "erin")]
    await button("Send to a different address").click()
    const recipient = form.getByLabel("Recipient", { exact: true })
    await expect.poll(() => recipient.evaluate((it) => it === document.activeElement)).toBe(true)
    // The opened field takes the focus once.
    const priced = page.waitForResponse("**/swap/quote")
    await form.getByLabel("Amount", { exact: true }).fill("110")
    await priced
    await quoted()
    expect(await form.getByLabel("Amount", { exact: true }).evaluate((it) => it === document.activeElement)).toBe(true)
    for (const [entered, message] of [
      ["0x1234", "This address has 4 digits after 0x, but it needs 40. Copy the whole address."],
      [erin.address, "This is a Solana address. It cannot receive tokens on devnet-b."],
      ["nonsense", "This is not an address on devnet-b. Enter 0x and 40 hexadecimal digits."]
    ] as const) {
      await recipient.fill(entered)
      await form.getByText(message).waitFor()
    }
    await recipient.fill("Alice")
    await form.getByText("alice has this address on devnet-b:").waitFor()
    await button("Use this address").click()
    expect((await recipient.inputValue()).toLowerCase()).toBe(alice.address.toLowerCase())
    await form.getByText("The address of alice.").waitFor()
    await quoted()
    expect(await openReview()).toContain("to alice on devnet-b")
    await button("Back").click()
    await recipient.fill("0x00000000000000000000000000000000000A11ce")
    await form.getByText("This address has an invalid checksum, so it contains a typo. Copy it again.").waitFor()
    expect(await main.isDisabled()).toBe(true)
    const address = "0x00000000000000000000000000000000000a11ce"
    await recipient.fill("0xnonsense")
    expect(await button("Save this address").count()).toBe(0)
    await recipient.fill(address)
    await button("Save this address").click()
    await form.getByLabel("Name of this address").fill("Alice")
    await page.keyboard.press("Enter")
    await form.getByRole("group", { name: "Saved addresses" }).waitFor()
    expect(await inspect(page, "saved addresses")).toEqual([])
    await recipient.fill("")
    await button("Alice").click()
    expect(await recipient.inputValue()).toBe(address)
    await quoted()
    const text = await openReview()
    expect(text).toContain("to Alice on devnet-b")
    // With its checksum.
    expect(text).toContain("0x00000000000000000000000000000000000A11cE")
    await button("Back").click()
    await button("Remove Alice").click()
    expect(await button("Alice").count()).toBe(0)
  })

  test("computes amounts with its own decimals, and offers only its own tokens", async ({ stack, visit }) => {
    const { evmA } = stack.devnet
    const { address, decimals } = tokenOf(evmA, "PLAIN")
    const { form, page } = await visit({
      route: { ...route, amount: "" },
      before: async ({ page }) => {
        // The service lies about the decimals and symbols of its tokens, and lists one that the page does not.
        await page.route("**/swap/chains", async (intercepted) => {
          const response = await intercepted.fetch()
          const { chains } = (await response.json()) as {
            readonly chains: ReadonlyArray<{
              tokens: ReadonlyArray<{ readonly address: string; readonly decimals: number }>
            }>
          }
          const lying = chains.map((chain) => ({
            ...chain,
            tokens: [...chain.tokens, { address: `0x${"1".repeat(40)}`, decimals: 6 }].map((token) => ({
              ...token,
              decimals: token.decimals + 3,
              symbol: "USDC"
            }))
          }))
          await intercepted.fulfill({ response, json: { chains: lying } })
        })
      }
    })
    await form.getByRole("button", { name: /^Pay with / }).click()
    const picker = page.getByRole("dialog", { name: "Pay with" })
    await picker.getByRole("combobox").fill(`0x${"1".repeat(40)}`)
    await picker.getByText("No token matches.").waitFor()
    await picker.getByRole("combobox").fill(address)
    await picker.getByRole("combobox").press("Enter")
    await form.getByRole("button", { name: "Pay with PLAIN on devnet-a" }).waitFor()
    const asked = page.waitForRequest("**/swap/quote")
    await form.getByLabel("Amount", { exact: true }).fill("2")
    expect((await asked).postDataJSON()).toMatchObject({
      inputToken: address.toLowerCase(),
      amount: `${2n * 10n ** BigInt(decimals)}`
    })
  })
})
