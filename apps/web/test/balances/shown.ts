/** The balances that the page shows, and those that it should show. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import type { Route, SwapPage } from "../browser/swapPage.js"
import { balancesOn, chainA, chainB, digits, on, type Participants, plain } from "../stack/balances.js"
import type { Stack } from "../stack/stack.js"

declare global {
  interface Window {
    /** The balances that the page showed next to "Delivered", each state once, oldest first. */
    beside: Array<ReadonlyArray<string>>
  }
}

/**
 * Records the balances in every state of the page that shows "Delivered", before the browser paints it. Periodic reads
 * are disabled: a balance can change only because the swap ended.
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

/** The balances that the page should show for a route. */
export const expectedBalances = async (
  stack: Stack,
  route: Route,
  participants: Participants
): Promise<ReadonlyArray<string>> => {
  const { input, output } = await balancesOn(stack, route, participants)
  return [`Balance ${digits(input)}`, `Balance ${digits(output)}`]
}

/** The balances that the page shows. */
export const shownBalances = async (page: Page): Promise<ReadonlyArray<string>> => {
  const texts = await page.locator(".balance").allTextContents()
  return texts.map((text) => plain(text).replace("Max", ""))
}

export const expectShown = async (page: Page, balances: ReadonlyArray<string>) => {
  await expect.poll(() => shownBalances(page), { timeout: 30_000 }).toEqual(balances)
}

/** Checks that the page showed these balances next to "Delivered", and no others. */
export const expectOnly = async (page: Page, balances: ReadonlyArray<string>) => {
  const beside = (await page.evaluate(() => window.beside)).map((shown) => shown.map(plain))
  const figures = new Set(beside.filter(({ length }) => length > 0).flatMap((shown) => shown))
  figures.delete("Balance …")
  expect(figures).toEqual(new Set(balances))
}

/** A visit in which every tab records its balances. */
export const recorded = { before: ({ page }: SwapPage) => page.context().addInitScript(recordBalances) }

export const evmToEvm: Route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }
