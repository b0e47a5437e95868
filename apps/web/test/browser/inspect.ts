/** What a page must be in every state: fit for everybody, and as wide as its window. */
import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "playwright-core"

/** The smallest phone that is still around. */
const phone = { width: 360, height: 740 }
const desktop = { width: 1280, height: 800 }

/** What axe finds, in words. */
const barriersOf = async (axe: AxeBuilder): Promise<ReadonlyArray<string>> => {
  const { violations } = await axe.analyze()
  return violations.flatMap(({ help, id, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(" ")})`))
}

/** What is wider than the window, where anything can be scrolled sideways. */
const widerOf = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const open = document.querySelector("dialog[open]")
    const scrolling = [document.documentElement, ...(open === null ? [] : [open])]
    return scrolling
      .filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)
      .map(({ clientWidth, localName, scrollWidth }) => `${localName} is ${scrollWidth} wide in ${clientWidth}`)
  })

/** Everything that is wrong with what a page shows right now, in both themes and on two screens. */
export const inspect = async (page: Page, state: string): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const [screen, size] of Object.entries({ desktop, phone })) {
    await page.setViewportSize(size)
    const wide = await widerOf(page)
    found.push(...wide.map((words) => `${state} on ${screen}: ${words}`))
  }
  await page.setViewportSize(desktop)
  // A theme changes colours and nothing else.
  const looks = {
    light: new AxeBuilder({ page }),
    dark: new AxeBuilder({ page }).withRules(["color-contrast"])
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    found.push(...(await barriersOf(looks[colorScheme])).map((words) => `${state}, ${colorScheme}: ${words}`))
  }
  return found
}
