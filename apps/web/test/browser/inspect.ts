/** Checks that a page is accessible and no wider than its window. */
import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "playwright-core"

/** The smallest phone in common use. */
const phone = { width: 360, height: 740 }
const tablet = { width: 768, height: 1024 }
const desktop = { width: 1280, height: 720 }

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

/**
 * Lists the numbers that break across lines or are cut off. A number starts and ends with a digit, and consists of
 * digits, separators and spaces that group digits.
 */
export const brokenNumbersOf = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const root = document.querySelector("dialog[open]") ?? document.body
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const found: Array<string> = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      if (element === null || !element.checkVisibility() || element.closest(".visually-hidden, code") !== null) continue
      for (const { 0: number, index } of (node.nodeValue ?? "").matchAll(/\d(?:[\d.,\u2009\u202f\u00a0’]*\d)?/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + number.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) found.push(`${number} breaks across lines`)
        const { left, right } = range.getBoundingClientRect()
        for (let box: Element | null = element; box !== null && root.contains(box); box = box.parentElement) {
          const { left: from, right: to } = box.getBoundingClientRect()
          const clips = box === root || getComputedStyle(box).overflowX !== "visible"
          if (clips && (left < from - 1 || right > to + 1)) found.push(`${number} is cut off`)
        }
      }
    }
    return found
  })

/** Lists all problems of the current state of a page, in both themes and on three screen sizes. */
export const inspect = async (page: Page, state: string): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  // Without transitions, during which the contrast is lower.
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" })
  // The layout differs between sizes, and so does what axe finds. The other rules are checked in each theme below.
  for (const [screen, size] of Object.entries({ phone, tablet })) {
    await page.setViewportSize(size)
    const problems = [
      ...(await overflowsOf(page)),
      ...(await brokenNumbersOf(page)),
      ...(await violationsOf(new AxeBuilder({ page })))
    ]
    found.push(...problems.map((text) => `${state} on ${screen}: ${text}`))
  }
  await page.setViewportSize(desktop)
  const problems = [...(await overflowsOf(page)), ...(await brokenNumbersOf(page))]
  found.push(...problems.map((text) => `${state} on desktop: ${text}`))
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
