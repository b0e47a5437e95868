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
  const [page, element] = [what.page(), await what.elementHandle()]
  for (let step = 0; step < maxSteps; step += 1) {
    await page.keyboard.press("Tab")
    if (await page.evaluate((wanted) => wanted === document.activeElement, element)) return
  }
  throw new Error(`Tab does not lead to ${String(what)}.`)
}
