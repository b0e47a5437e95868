/** Checks that a page is accessible and no wider than its window. */
import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "playwright-core"

/** The smallest phone in common use. */
const phone = { width: 360, height: 740 }
const desktop = { width: 1280, height: 800 }

/** Lists the violations that axe finds. */
const violationsOf = async (axe: AxeBuilder): Promise<ReadonlyArray<string>> => {
  const { violations } = await axe.analyze()
  return violations.flatMap(({ help, id, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(" ")})`))
}

/** Lists the elements that overflow horizontally. */
const overflowsOf = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const open = document.querySelector("dialog[open]")
    const scrolling = [document.documentElement, ...(open === null ? [] : [open])]
    return scrolling
      .filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)
      .map(({ clientWidth, localName, scrollWidth }) => `${localName} is ${scrollWidth} wide in ${clientWidth}`)
  })

/** Lists all problems of the current state of a page, in both themes and on two screen sizes. */
export const inspect = async (page: Page, state: string): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const [screen, size] of Object.entries({ desktop, phone })) {
    await page.setViewportSize(size)
    const overflows = await overflowsOf(page)
    found.push(...overflows.map((text) => `${state} on ${screen}: ${text}`))
  }
  await page.setViewportSize(desktop)
  // A theme changes only colors.
  const checks = {
    light: new AxeBuilder({ page }),
    dark: new AxeBuilder({ page }).withRules(["color-contrast"])
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    found.push(...(await violationsOf(checks[colorScheme])).map((text) => `${state}, ${colorScheme}: ${text}`))
  }
  return found
}
