/** Checks that a page is accessible and no wider than its window. */
import type { RunOptions, run } from "axe-core"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"
import { isWhole } from "../matrix.js"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The smallest phone in common use, a tablet and a desktop. The layout differs, and so does what axe finds. */
const screens = {
  phone: { width: 360, height: 740 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1280, height: 720 }
}

/** Lists the violations that axe finds (default: of all rules). */
const violationsOf = async (page: Page, options: RunOptions = {}): Promise<ReadonlyArray<string>> => {
  // Not as a script of the page, which its content security policy does not allow.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe)
  return page.evaluate(
    async (options) => {
      const { violations } = await (Reflect.get(window, "axe") as { readonly run: typeof run }).run(options)
      return violations.flatMap(({ help, id, nodes }) =>
        nodes.map(({ target }) => `${id}: ${help} (${target.join(" ")})`)
      )
    },
    { resultTypes: ["violations" as const], ...options }
  )
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

/**
 * Lists all problems of the current state of a page, on three screens and in both themes. By default, axe runs on a
 * phone, and not in a state that only repeats parts of others.
 */
export const inspect = async (page: Page, state: string, { repeats = false } = {}): Promise<ReadonlyArray<string>> => {
  const skipsAxe = repeats && !isWhole
  const found: Array<string> = []
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" })
  for (const [screen, size] of Object.entries(screens)) {
    await page.setViewportSize(size)
    const problems = [
      ...(await overflowsOf(page)),
      ...(await brokenNumbersOf(page)),
      ...(!skipsAxe && (screen === "phone" || isWhole) ? await violationsOf(page) : [])
    ]
    found.push(...problems.map((text) => `${state} on ${screen}: ${text}`))
  }
  if (skipsAxe) return found
  // A theme changes only colors.
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" })
  const inDark = await violationsOf(page, { runOnly: ["color-contrast"] })
  return [...found, ...inDark.map((text) => `${state}, dark: ${text}`)]
}
