import type { Page } from "playwright-core"
import { expect } from "vitest"
import { type Route, type SwapPage, swapPage } from "./browser/swapPage.js"
import { describeInBrowser, test, type Visit } from "./browser/fixture.js"
import { chainA, chainB, chainS, digits, balancesOn, on, type Participants, plain } from "./stack/balances.js"
import type { Stack } from "./stack/stack.js"

declare global {
  interface Window {
    /** The balances that the page showed beside "Delivered", each state once, the oldest first. */
    beside: Array<ReadonlyArray<string>>
  }
}

/**
 * Records the balances in every state of the page that says "Delivered", before the browser can draw it. Nothing is read
 * again because time has passed: a balance that changes was read because the swap ended.
 */
const recordBalances = () => {
  window.beside = []
  const record = () => {
    if (document.querySelector('[data-step="delivery"][data-state="done"], .status-settled') === null) return
    const shown = [...document.querySelectorAll(".balance")].map((one) => one.textContent.replace("Max", ""))
    if (JSON.stringify(shown) !== JSON.stringify(window.beside.at(-1))) window.beside.push(shown)
  }
  new MutationObserver(record).observe(document, {
    attributes: true,
    characterData: true,
    childList: true,
    subtree: true
  })
  const every = window.setInterval
  window.setInterval = ((handler: () => void, millis: number) =>
    millis < 10_000 ? every(handler, millis) : 0) as typeof setInterval
}

/** What the two ends of a route should show. */
const balancesOf = async (stack: Stack, route: Route, participants: Participants): Promise<ReadonlyArray<string>> => {
  const { input, output } = await balancesOn(stack, route, participants)
  return [`Balance ${digits(input)}`, `Balance ${digits(output)}`]
}

/** What they show. */
const shownIn = async (page: Page): Promise<ReadonlyArray<string>> => {
  const texts = await page.locator(".balance").allTextContents()
  return texts.map((text) => plain(text).replace("Max", ""))
}

const expectShown = async (page: Page, balances: ReadonlyArray<string>) => {
  await expect.poll(() => shownIn(page), { timeout: 30_000 }).toEqual(balances)
}

/** Whether the page showed these balances beside "Delivered", and no others. */
const expectOnly = async (page: Page, balances: ReadonlyArray<string>) => {
  const beside = (await page.evaluate(() => window.beside)).map((shown) => shown.map(plain))
  const figures = new Set(beside.filter(({ length }) => length > 0).flatMap((shown) => shown))
  figures.delete("Balance …")
  expect(figures).toEqual(new Set(balances))
}

/** Swaps what was chosen, up to the delivery. */
const swap = async ({ confirm, openReview, quoted, step }: SwapPage) => {
  await quoted()
  await openReview()
  await confirm()
  await step("delivery", "done").waitFor()
}

/** A visit whose every tab records what it shows. */
const recorded = { before: ({ page }: SwapPage) => page.context().addInitScript(recordBalances) }

/** A second tab on the same route, with nothing to pay. */
const otherTab = async ({ page }: Visit, url: string, route: Route, before?: (page: Page) => Promise<unknown>) => {
  const other = swapPage(await page.context().newPage())
  await before?.(other.page)
  await other.page.goto(url)
  await other.choose({ ...route, amount: "" })
  return other
}

const evmToEvm: Route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }
const evmToSolana: Route = { from: on(chainA, "USDC"), to: on(chainS, "USDC"), amount: "150.5" }

const directions: ReadonlyArray<readonly [title: string, route: Route, participants: Participants]> = [
  ["between EVM chains", evmToEvm, { payer: "bob", receiver: "bob" }],
  ["from an EVM chain to Solana", evmToSolana, { payer: "bob", receiver: "frank" }],
  [
    "from Solana to an EVM chain",
    { from: on(chainS, "USDC"), to: on(chainB, "WETH"), amount: "75" },
    { payer: "frank", receiver: "bob" }
  ]
]

describeInBrowser("the balances beside a swap that was delivered", () => {
  test.for(directions)("are the new ones in every tab: %s", async ([, route, participants], { stack, visit }) => {
    const before = await balancesOf(stack, route, participants)
    const visitor = await visit(recorded)
    await visitor.connect("bob", "frank")
    await visitor.choose(route)
    const other = await otherTab(visitor, stack.url, route)
    for (const { page } of [visitor, other]) await expectShown(page, before)

    await swap(visitor)
    await other.history.getByText("Delivered", { exact: true }).waitFor()
    const after = await balancesOf(stack, route, participants)
    expect(after.filter((balance) => before.includes(balance))).toEqual([])
    await expectShown(other.page, after)
    await visitor.button("New swap").click()
    await expectShown(visitor.page, after)
    for (const { page } of [visitor, other]) await expectOnly(page, after)
  })

  test("are the new ones where an earlier visit made the swap", async ({ stack, visit }) => {
    const participants = { payer: "bob", receiver: "bob" }
    const before = await balancesOf(stack, evmToEvm, participants)
    const visitor = await visit(recorded)
    const { choose, confirm, connect, openReview, page, quoted, step, unfinished } = visitor
    await connect("bob")
    await choose(evmToEvm)
    await quoted()
    await openReview()
    await stack.devnet.evmA.hold()
    await confirm()
    await step("origin", "running").waitFor()
    await page.reload()
    await unfinished.waitFor()
    await choose({ ...evmToEvm, amount: "" })
    await expectShown(page, before)
    await stack.devnet.evmA.release()
    await step("delivery", "done").waitFor()
    const after = await balancesOf(stack, evmToEvm, participants)
    await expectShown(page, after)
    await expectOnly(page, after)
  })

  test("are not those of an answer that was under way when the swap ended", async ({ stack, visit }) => {
    const participants = { payer: "bob", receiver: "bob" }
    const visitor = await visit(recorded)
    await visitor.connect("bob")
    await visitor.choose(evmToEvm)
    const held = new Map<string | null, () => Promise<void>>()
    // The first answer for each chain comes when the test says so, the others at once.
    const other = await otherTab(visitor, stack.url, evmToEvm, (page) =>
      page.route("**/web/balances?*", async (asked) => {
        const chainId = new URL(asked.request().url()).searchParams.get("chainId")
        if (held.has(chainId)) return asked.continue()
        const response = await asked.fetch()
        const body = await response.body()
        // The page may not wait for it any more.
        held.set(chainId, () => asked.fulfill({ response, body }).catch(() => undefined))
      })
    )
    const { evmA, evmB } = stack.devnet
    await expect
      .poll(() => [...held.keys()], { timeout: 30_000 })
      .toEqual(expect.arrayContaining([`${evmA.id}`, `${evmB.id}`]))
    await swap(visitor)
    await other.history.getByText("Delivered", { exact: true }).waitFor()
    const after = await balancesOf(stack, evmToEvm, participants)
    await expectShown(other.page, after)
    await Promise.all([...held.values()].map((answer) => answer()))
    await other.page.evaluate(() => fetch("/web/config.json").then((answer) => answer.text()))
    expect(await shownIn(other.page)).toEqual(after)
    await expectOnly(other.page, after)
  })
})
