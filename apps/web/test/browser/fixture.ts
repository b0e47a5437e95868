/** The fixture of page tests: the whole stack, one browser and visits to the page. */
import { existsSync } from "node:fs"
import { getBase58Encoder } from "@solana/kit"
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core"
import { test as base, describe, expect } from "vitest"
import { executablePath, launchOptions } from "../../../../tooling/testing/chromium.js"
import { startStack } from "../stack/stack.js"
import { type SwapPage, swapPage } from "./swapPage.js"
import { type Monitor, startMonitor } from "./monitor.js"

/** The options of a visit. */
export interface VisitOptions extends BrowserContextOptions {
  /** Console messages that the test expects. */
  readonly expected?: ReadonlyArray<RegExp>
  /** The URL of the page (default: the service). */
  readonly via?: string
  /** Runs before the page loads. */
  readonly before?: (page: SwapPage) => Promise<unknown>
}

/** A visit with an empty browser profile. */
export interface Visit extends SwapPage {
  readonly monitor: Monitor
  /** The IP address that the service sees. */
  readonly address: string
}

/** Matches the console message of a response with this status. Errors that the protocol expects are logged, too. */
export const answered = (status: number): RegExp => new RegExp(`^console error: Failed to load .* status of ${status} `)

/** The first swap of a wallet gets an error that says it needs a delegation. */
const always = [answered(409)]

/** All encodings of a private key: 0x hex on EVM chains, base58 of seed and public key on Solana. */
const encodingsOf = (privateKey: string): ReadonlyArray<string> => {
  const isHex = privateKey.startsWith("0x")
  const bytes = isHex ? Buffer.from(privateKey.slice(2), "hex") : Buffer.from(getBase58Encoder().encode(privateKey))
  const seed = bytes.subarray(0, 32)
  const hex = seed.toString("hex")
  // The end of base64 depends on the bytes that follow.
  return [privateKey, hex, hex.toUpperCase(), seed.toString("base64").slice(0, 40), seed.join(",")]
}

let visitors = 0

/** A test in a browser. `visit` opens the page. The test fails if the monitor reports a problem. */
export const test = base
  // oxlint-disable-next-line no-empty-pattern -- fixtures name what they need
  .extend("stack", { scope: "worker" }, async ({}, { onCleanup }) => {
    const stack = await startStack()
    onCleanup(stack.stop)
    return stack
  })
  // oxlint-disable-next-line no-empty-pattern -- fixtures name what they need
  .extend("browser", { scope: "worker" }, async ({}, { onCleanup }): Promise<Browser> => {
    // No sandbox, since tests may run as root.
    const browser = await chromium.launch({ ...launchOptions, headless: true })
    onCleanup(() => browser.close())
    return browser
  })
  .extend("visit", async ({ browser, stack }, { onCleanup }) => {
    const { devnet, secrets, url, venue } = stack
    const monitorEnds: Array<() => Promise<ReadonlyArray<string>>> = []
    onCleanup(async () => {
      // Reset the chains and prices for the next test.
      await Promise.all([devnet.evmA.release(), devnet.evmB.release(), devnet.solana.release()])
      venue.move(1_000)
      venue.open(true)
      const problems = await Promise.all(monitorEnds.map((end) => end()))
      expect(problems.flat()).toEqual([])
    })
    const keys = [...devnet.evmWallets, ...devnet.solanaWallets].flatMap(({ privateKey }) => encodingsOf(privateKey))
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
      monitorEnds.push(() => monitor.end([...always, ...expected]))
      const page = swapPage(await context.newPage())
      await before?.(page)
      await page.page.goto(via)
      return { ...page, monitor, address }
    }
  })

/** A suite on real chains in a real browser. If one of them is missing, it is skipped and its title says why. */
export const describeInBrowser = (title: string, body: () => void): void => {
  const missing = existsSync(executablePath) ? "" : ` (skipped: there is no Chromium at ${executablePath})`
  describe.skipIf(missing !== "")(`in a browser${missing}: ${title}`, () => {
    body()
  })
}
