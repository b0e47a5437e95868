import type { Page } from "playwright-core"
import { expect } from "vitest"
import { type Route, type SwapPage, swapPage } from "./browser/swapPage.js"
import { describeInBrowser, test, type Visit } from "./browser/fixture.js"
import { evmToEvm, expectedBalances, expectOnly, expectShown, recorded, shownBalances } from "./balances/shown.js"
import { chainA, chainB, chainS, digits, linkTo, on, type Participants, plain, walletOf } from "./stack/balances.js"
import { isWhole } from "../../../tooling/testing/matrix.js"
import { nativeBalanceOf } from "./stack/chains.js"
import type { Stack } from "./stack/stack.js"

/** Makes the selected swap and waits for the delivery. */
const swap = async ({ confirm, openReview, quoted, step }: SwapPage) => {
  await quoted()
  await openReview()
  await confirm()
  await step("delivery", "done").waitFor()
}

/** Opens a second tab with the same route and no amount. */
const otherTab = async ({ page }: Visit, stack: Stack, route: Route, before?: (page: Page) => Promise<unknown>) => {
  const other = swapPage(await page.context().newPage())
  await before?.(other.page)
  await other.page.goto(`${stack.url}/${linkTo(stack, { ...route, amount: "" })}`)
  return other
}

const evmToSolana: Route = { from: on(chainA, "USDC"), to: on(chainS, "USDC"), amount: "150.5" }

type Direction = readonly [title: string, route: Route, participants: Participants]

const fromSolana: Direction = [
  "from Solana to an EVM chain",
  { from: on(chainS, "USDC"), to: on(chainB, "WETH"), amount: "75" },
  { payer: "frank", receiver: "bob" }
]

const fromEvm: ReadonlyArray<Direction> = [
  ["between EVM chains", evmToEvm, { payer: "bob", receiver: "bob" }],
  ["from an EVM chain to Solana", evmToSolana, { payer: "bob", receiver: "frank" }]
]

describeInBrowser("the balance under To", () => {
  test("belongs to the recipient, and includes native tokens", async ({ stack, visit }) => {
    const { button, choose, form } = await visit({ wallets: ["bob"] })
    const to = form.getByTestId("to-balance")
    await choose({ ...evmToEvm, to: on(chainB, "ETH") })
    const { address } = walletOf(stack, "bob")
    const units = await nativeBalanceOf(stack.devnet.evmB, address)
    await expect.poll(async () => plain(await to.innerText())).toBe(`Balance ${digits({ units, decimals: 18 })}`)
    await button("Send to a different address").click()
    await form.getByLabel("Recipient").fill("0x00000000000000000000000000000000000a11ce")
    await expect.poll(() => to.innerText()).toBe("")
    // The wallet's own address, in any case.
    await form.getByLabel("Recipient").fill(address.toLowerCase())
    await expect.poll(() => to.innerText()).toContain("Balance")
  })
})

describeInBrowser("balances next to a delivered swap", () => {
  test.for([fromSolana, ...(isWhole ? fromEvm : [])])(
    "are updated in every tab: %s",
    async ([, route, participants], { stack, visit }) => {
      const before = await expectedBalances(stack, route, participants)
      const visitor = await visit({ ...recorded, wallets: ["bob", "frank"], route })
      const other = await otherTab(visitor, stack, route)
      for (const { page } of [visitor, other]) await expectShown(page, before)

      await swap(visitor)
      await other.activity.getByText("Delivered", { exact: true }).first().waitFor()
      const after = await expectedBalances(stack, route, participants)
      expect(after.filter((balance) => before.includes(balance))).toEqual([])
      await expectShown(other.page, after)
      await visitor.button("New swap").click()
      await expectShown(visitor.page, after)
      for (const { page } of [visitor, other]) await expectOnly(page, after)
    }
  )

  test("ignore a response that was in flight when the swap ended", async ({ stack, visit }) => {
    const participants = { payer: "bob", receiver: "bob" }
    const visitor = await visit({ ...recorded, wallets: ["bob"], route: evmToEvm })
    const held = new Map<string | null, () => Promise<void>>()
    // The first response for each chain is held until the test releases it.
    const other = await otherTab(visitor, stack, evmToEvm, (page) =>
      page.route("**/web/balances?*", async (intercepted) => {
        const chainId = new URL(intercepted.request().url()).searchParams.get("chainId")
        if (held.has(chainId)) return intercepted.continue()
        const response = await intercepted.fetch()
        const body = await response.body()
        // The page may have stopped waiting for it.
        held.set(chainId, () => intercepted.fulfill({ response, body }).catch(() => undefined))
      })
    )
    const { evmA, evmB } = stack.devnet
    await expect
      .poll(() => [...held.keys()], { timeout: 30_000 })
      .toEqual(expect.arrayContaining([`${evmA.id}`, `${evmB.id}`]))
    await swap(visitor)
    await other.activity.getByText("Delivered", { exact: true }).first().waitFor()
    const after = await expectedBalances(stack, evmToEvm, participants)
    await expectShown(other.page, after)
    await Promise.all([...held.values()].map((answer) => answer()))
    await other.page.evaluate(() => fetch("/web/config.json").then((answer) => answer.text()))
    expect(await shownBalances(other.page)).toEqual(after)
    await expectOnly(other.page, after)
  })
})
