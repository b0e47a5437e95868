import { gzipSync } from "node:zlib"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, chainS, on } from "./stack/balances.js"

/** A file that the page loaded. */
interface File {
  readonly path: string
  /** In bytes, by `gzip -9`. */
  readonly gzip: number
  /** In bytes, as the server sent it. */
  readonly sent: number
}

/** Records every file of the page, without API responses. */
const filesOf = (page: Page): (() => Promise<ReadonlyArray<File>>) => {
  const files = new Map<string, Promise<File>>()
  page.on("response", (response) => {
    const path = new URL(response.url()).pathname
    if (path.startsWith("/web/")) return
    const weigh = async (): Promise<File> => ({
      path,
      gzip: gzipSync(await response.body(), { level: 9 }).length,
      sent: (await response.request().sizes()).responseBodySize
    })
    // A second load comes from the cache.
    if (!files.has(path)) files.set(path, weigh())
  })
  return () => Promise.all(files.values())
}

const sum = (files: ReadonlyArray<File>, by: "gzip" | "sent"): number =>
  files.reduce((total, file) => total + file[by], 0)

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** Of this, 9 kB prevent a swap from being signed twice: the store, its keys and the handling of refusals. */
const maxBytes = 180_000
const solana = /solana|standard/i

describeInBrowser("the page", () => {
  test("loads at most 180 kB for an EVM swap, and Solana code only for a Solana chain", async ({ visit }) => {
    const seen: { files?: () => Promise<ReadonlyArray<File>> } = {}
    const { button, choose, confirm, openReview, page, quoted, step } = await visit({
      route: { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" },
      // Nothing is in the cache yet.
      profile: {},
      before: async ({ page }) => {
        seen.files = filesOf(page)
      }
    })
    await quoted()
    await openReview()
    await confirm()
    await step("delivery", "done").waitFor()
    const files = (await seen.files?.()) ?? []
    expect(files.map(({ path }) => path)).toContain("/")
    const rows = files.map(({ gzip, path, sent }) => `${kB(gzip)} gzip, ${kB(sent)} sent: ${path}`)
    const all = `${kB(sum(files, "gzip"))} gzip, ${kB(sum(files, "sent"))} sent in all`
    process.stdout.write(`${[...rows, all].join("\n")}\n`)
    expect(sum(files, "gzip")).toBeLessThanOrEqual(maxBytes)
    // The server compresses at least as well as gzip -9.
    expect(sum(files, "sent")).toBeLessThanOrEqual(maxBytes)
    expect(files.filter(({ path }) => solana.test(path))).toEqual([])
    await button("New swap").click()
    const loaded = page.waitForResponse((response) => solana.test(response.url()) && response.ok())
    await choose({ from: on(chainS, "USDC"), to: on(chainA, "USDC"), amount: "100" })
    await loaded
  })

  test("can be used after 145 kB, without waiting for the signing code", async ({ visit }) => {
    const seen: { files?: () => Promise<ReadonlyArray<File>> } = {}
    const { main, page } = await visit({
      profile: {},
      before: async ({ page }) => {
        await page.addInitScript(() => {
          const tasks: Array<number> = []
          Object.assign(globalThis, { tasks })
          new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
            type: "longtask",
            buffered: true
          })
        })
        // The code that signs, and Solana's, may arrive at any time later.
        await page.route(/(signing|standard)[^/]*\.js$/i, () => undefined)
        seen.files = filesOf(page)
      }
    })
    await expect.poll(() => main.innerText()).toBe("Enter an amount")
    const files = (await seen.files?.()) ?? []
    const tasks = await page.evaluate(() => (globalThis as unknown as { readonly tasks: ReadonlyArray<number> }).tasks)
    // How long tasks take depends on the machine: `pnpm bench page` measures it.
    const long = tasks.map((millis) => `${Math.round(millis)} ms`).join(", ")
    process.stdout.write(`${kB(sum(files, "gzip"))} until usable, tasks over 50 ms: ${long === "" ? "none" : long}\n`)
    expect(files.length).toBeGreaterThan(2)
    expect(sum(files, "gzip")).toBeLessThanOrEqual(145_000)
    expect(files.filter(({ path }) => /signing/i.test(path))).toEqual([])
  })
})
