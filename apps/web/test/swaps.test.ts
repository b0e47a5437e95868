import { formatAmount } from "@geoswap/core/promise"
import { expect } from "vitest"
import type { Route, SwapPage } from "./browser/swapPage.js"
import { describeInBrowser, test } from "./browser/fixture.js"
import { isWhole } from "../../../tooling/testing/matrix.js"
import { delegate } from "./stack/chains.js"
import { chainA, chainB, chainS, digits, balancesOn, on, type Participants, plain, walletOf } from "./stack/balances.js"

type Direction = readonly [title: string, route: Route, participants: Participants]

/** Between the two families, each of which pays and receives. */
const acrossFamilies: ReadonlyArray<Direction> = [
  [
    "from an EVM chain to Solana",
    { from: on(chainA, "USDC"), to: on(chainS, "USDC"), amount: "150.5" },
    { payer: "bob", receiver: "frank" }
  ],
  [
    "from Solana to an EVM chain",
    { from: on(chainS, "USDC"), to: on(chainB, "WETH"), amount: "75" },
    { payer: "frank", receiver: "bob" }
  ]
]

const withinFamilies: ReadonlyArray<Direction> = [
  [
    "from an EVM chain to another one",
    { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" },
    { payer: "bob", receiver: "bob" }
  ],
  [
    "between two tokens of an EVM chain",
    { from: on(chainB, "WETH"), to: on(chainB, "USDC"), amount: "0.0323456" },
    { payer: "bob", receiver: "bob" }
  ],
  [
    "between two tokens of Solana",
    { from: on(chainS, "USDC"), to: on(chainS, "WETH"), amount: "60" },
    { payer: "frank", receiver: "frank" }
  ]
]

const directions = isWhole ? [...acrossFamilies, ...withinFamilies] : acrossFamilies.slice(0, 1)

/** Makes a swap and returns the output that the page showed. */
const swap = async ({ confirm, openReview, quoted, step }: SwapPage): Promise<string> => {
  const shown = await quoted()
  await openReview()
  await confirm()
  await step("delivery", "done").waitFor()
  return shown
}

describeInBrowser("a swap on the page", () => {
  test.for(directions)(
    "goes %s, and the balances on the chains match the page",
    async ([, route, participants], { stack, visit }) => {
      const before = await balancesOn(stack, route, participants)
      const visitor = await visit({ wallets: ["bob", "frank"], route })
      const { button, activity, form, openFlows, progress } = visitor
      const shown = await swap(visitor)
      const after = await balancesOn(stack, route, participants)
      expect(formatAmount(before.input.units - after.input.units, before.input.decimals)).toBe(route.amount)
      const received = formatAmount(after.output.units - before.output.units, after.output.decimals)
      // The page shows six digits, rounded down.
      expect(shown.replace(".", "").replace(/^0+/, "").length).toBeGreaterThanOrEqual(3)
      expect(received.startsWith(shown)).toBe(true)
      expect(plain(await progress.getByRole("status").innerText())).toContain(`${shown} ${route.to.token} delivered`)

      const entry = activity.getByRole("listitem")
      expect(plain(await entry.innerText())).toContain(
        `${route.amount} ${route.from.token} → ${shown} ${route.to.token}`
      )
      expect(await openFlows()).toEqual([])

      // The form is unchanged, with the new balances and the time that the swap took.
      await button("New swap").click()
      expect(await visitor.detail("Expected time")).toMatch(/^about \d+ (s|min)$/)
      await expect
        .poll(async () => (await form.getByText("Balance").allInnerTexts()).map((text) => plain(text)))
        .toEqual([
          expect.stringContaining(`Balance ${digits(after.input)}`),
          expect.stringContaining(`Balance ${digits(after.output)}`)
        ])
    }
  )

  test("shows the delegation and its contract only the first time, and every transaction", async ({ stack, visit }) => {
    const { evmA } = stack.devnet
    await delegate(evmA, walletOf(stack, "carol").address, undefined)
    const { button, confirm, activity, form, openReview, page, review, step } = await visit({
      wallets: ["carol"],
      route: { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "120" }
    })
    const first = await openReview()
    expect(first).toContain("You sign twice, with one click")
    expect(first).toMatch(
      new RegExp(`lets the contract ${evmA.contracts.account} \\(the one that this page expects\\) act for carol`, "i")
    )
    await confirm()
    await step("delegation", "done").waitFor()
    await step("delivery", "done").waitFor()
    // A transaction links to the explorer of its chain, if there is one.
    const { deliveryTxHash, id, originTxHash } = (await stack.swaps()).at(-1) ?? {}
    expect(await step("payment").getByRole("link").getAttribute("href")).toBe(
      `https://explorer.example/tx/${originTxHash}`
    )
    expect(await step("delivery").getByRole("link").count()).toBe(0)
    await activity.locator("summary").click()
    const hashes = await activity
      .locator("code")
      .evaluateAll((codes) => codes.map((code) => code.getAttribute("title")))
    const { address } = walletOf(stack, "carol")
    expect(hashes).toEqual([originTxHash, deliveryTxHash, address, address, id])
    await button("New swap").click()

    const amount = form.getByLabel("Amount", { exact: true })
    await amount.fill("130")
    const second = await openReview()
    expect(second).toContain("You sign once")
    expect(second).not.toMatch(/delegation/i)
    await review.getByRole("button", { name: "Back" }).click()

    await page.reload()
    await amount.fill("130")
    expect(await openReview()).toContain("You sign once")
  })
})
