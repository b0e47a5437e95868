/** Keyboard navigation. */
import type { Locator, Page } from "playwright-core"

/** Whether an element has the focus. */
export const hasFocus = (what: Locator): Promise<boolean> =>
  what.evaluate((element) => element === document.activeElement)

/** Whether no element has the focus. */
export const isFocusLost = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement === document.body)

/** More than the page has elements. */
const maxSteps = 60

/** Presses Tab until an element has the focus. */
export const tabTo = async (what: Locator): Promise<void> => {
  for (let step = 0; step < maxSteps; step += 1) {
    await what.page().keyboard.press("Tab")
    if (await hasFocus(what)) return
  }
  throw new Error(`Tab does not lead to ${String(what)}.`)
}
