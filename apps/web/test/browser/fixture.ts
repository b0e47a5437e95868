/** `test` with everything that a test of the page needs: the whole stack, one browser, and visits to the page. */
import { existsSync } from "node:fs"
import { getBase58Encoder } from "@solana/kit"
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core"
import { test as base, describe, expect } from "vitest"
import { describeOnAnvil } from "../../../../packages/devnet/test/onAnvil.js"
import { executablePath, launchOptions } from "../../../../tooling/testing/chromium.js"
import { startStack } from "../stack/stack.js"
import { type SwapPage, swapPage } from "./swapPage.js"
import { type Monitor, startMonitor } from "./monitor.js"

/** How somebody visits. */
export interface VisitOptions extends BrowserContextOptions {
  /** What the console may say, since the test is about it. */
  readonly expected?: ReadonlyArray<RegExp>
  /** Where the page is, where that is not the service itself. */
  readonly via?: string
  /** What is done before the page loads. */
  readonly before?: (page: SwapPage) => Promise<unknown>
}

/** A visit to the page by somebody with an empty browser. */
export interface Visit extends SwapPage {
  readonly monitor: Monitor
  /** The network address that the service knows the visitor by. */
  readonly address: string
}

/** The console tells of every answer that is an error, also of those that the protocol is made of. */
export const answered = (status: number): RegExp => new RegExp(`^console error: Failed to load .* status of ${status} `)

/** The first swap of a wallet learns from an error that it needs a delegation. */
const always = [answered(409)]

/** All forms that the key of a wallet could be sent in: 0x-hex on EVM chains, base58 of seed and public key on Solana. */
const formsOf = (privateKey: string): ReadonlyArray<string> => {
  const isHex = privateKey.startsWith("0x")
  const bytes = isHex ? Buffer.from(privateKey.slice(2), "hex") : Buffer.from(getBase58Encoder().encode(privateKey))
  const seed = bytes.subarray(0, 32)
  const hex = seed.toString("hex")
  // The end of base64 depends on what follows.
  return [privateKey, hex, hex.toUpperCase(), seed.toString("base64").slice(0, 40), seed.join(",")]
}

let visitors = 0

/** A test in a browser: `visit` opens the page, and the test fails where anything is amiss in the end. */
export const test = base
  // oxlint-disable-next-line no-empty-pattern -- fixtures name what they need
  .extend("stack", { scope: "worker" }, async ({}, { onCleanup }) => {
    const stack = await startStack()
    onCleanup(stack.stop)
    return stack
  })
  // oxlint-disable-next-line no-empty-pattern -- fixtures name what they need
  .extend("browser", { scope: "worker" }, async ({}, { onCleanup }): Promise<Browser> => {
    // Without a sandbox, since tests may run as root.
    const browser = await chromium.launch({ ...launchOptions, headless: true })
    onCleanup(() => browser.close())
    return browser
  })
  .extend("visit", async ({ browser, stack }, { onCleanup }) => {
    const { devnet, secrets, url, venue } = stack
    const ends: Array<() => Promise<ReadonlyArray<string>>> = []
    onCleanup(async () => {
      // The next test finds chains that run and prices as they were.
      await Promise.all([devnet.evmA.release(), devnet.evmB.release(), devnet.solana.release()])
      venue.move(1_000)
      venue.open(true)
      const problems = await Promise.all(ends.map((end) => end()))
      expect(problems.flat()).toEqual([])
    })
    const keys = [...devnet.evmWallets, ...devnet.solanaWallets].flatMap(({ privateKey }) => formsOf(privateKey))
    return async ({ before, expected = [], via = url, ...options }: VisitOptions = {}): Promise<Visit> => {
      visitors += 1
      const address = `10.0.${visitors >> 8}.${visitors & 255}`
      const context = await browser.newContext({
        locale: "en-GB",
        extraHTTPHeaders: { "x-forwarded-for": address },
        ...options
      })
      context.setDefaultTimeout(60_000)
      const monitor = await startMonitor(context, { origin: via, secrets, keys })
      ends.push(() => monitor.end([...always, ...expected]))
      const page = swapPage(await context.newPage())
      await before?.(page)
      await page.page.goto(via)
      return { ...page, monitor, address }
    }
  })

/** A suite on real chains in a real browser. Where one of them is missing it is skipped, and its title says why. */
export const describeInBrowser = (title: string, body: () => void): void => {
  const missing = existsSync(executablePath) ? "" : ` (skipped: there is no Chromium at ${executablePath})`
  describe.skipIf(missing !== "")(`in a browser${missing}`, () => {
    describeOnAnvil(title, body)
  })
}
