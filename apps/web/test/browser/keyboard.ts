/** Hands that never touch a mouse. */
import type { Locator, Page } from "playwright-core"

/** Whether something has the focus. */
export const hasFocus = (what: Locator): Promise<boolean> =>
  what.evaluate((element) => element === document.activeElement)

/** Whether nothing has it, so that whoever goes by keyboard is lost. */
export const isLost = (page: Page): Promise<boolean> => page.evaluate(() => document.activeElement === document.body)

/** More than the page has. */
const most = 60

/** Goes on with Tab until something has the focus. */
export const tabTo = async (what: Locator): Promise<void> => {
  for (let step = 0; step < most; step += 1) {
    await what.page().keyboard.press("Tab")
    if (await hasFocus(what)) return
  }
  throw new Error(`Tab does not lead to ${String(what)}.`)
}
