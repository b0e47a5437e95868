/** The fixture of page tests: the whole stack, one browser and visits to the page. */
import { existsSync } from "node:fs"
import { getBase58Encoder } from "@solana/kit"
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core"
import { test as base, describe, expect } from "vitest"
import { executablePath, launchOptions } from "../../../../tooling/testing/chromium.js"
import { linkTo, walletOf } from "../stack/balances.js"
import { type Stack, startStack } from "../stack/stack.js"
import { type Monitor, startMonitor } from "./monitor.js"
import { openProfile, openSharedProfile, quietPath } from "./profile.js"
import { type Route, type SwapPage, swapPage } from "./swapPage.js"

/** The options of a visit. */
export interface VisitOptions {
  /** The test wallets that an earlier visit connected (default: none; the page connects the first of each family). */
  readonly wallets?: ReadonlyArray<string>
  /** The form of the link that opens the page. */
  readonly route?: Route
  /** What an earlier visit stored, by key. */
  readonly stored?: Readonly<Record<string, string>>
  /** Console messages that the test expects. */
  readonly expected?: ReadonlyArray<RegExp>
  /** Runs before the page loads. What it installs in the context is disposed after the test. */
  readonly before?: (page: SwapPage) => Promise<AsyncDisposable | void>
  /** Opens a new browser profile with these options (default: the profile that tests share, with empty storage). */
  readonly profile?: BrowserContextOptions
  /** Whether the test can advance the page's clock, in a new profile. The clock also runs in real time. */
  readonly clock?: boolean
  /** The URL of the page, in a new profile (default: the service). */
  readonly via?: string
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

/** What the page stores when these test wallets connect. */
const storedWallets = (stack: Stack, names: ReadonlyArray<string>): string => {
  const wallets = names.map((name) => walletOf(stack, name))
  return JSON.stringify(Object.fromEntries(wallets.map(({ address, family }) => [family, `burner:${address}`])))
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
  .extend("shared", { scope: "worker" }, async ({ browser, stack }) => ({
    open: await openSharedProfile(browser, stack.url),
    harmless: new Set<string>()
  }))
  .extend("visit", async ({ browser, shared, stack }, { onCleanup }) => {
    const { devnet, secrets, url, venue } = stack
    const visits: Array<() => Promise<ReadonlyArray<string>>> = []
    onCleanup(async () => {
      // Reset the chains and prices for the next test.
      await Promise.all([devnet.evmA.release(), devnet.evmB.release(), devnet.solana.release()])
      venue.move(1_000)
      venue.open(true)
      const problems = await Promise.all(visits.map((end) => end()))
      expect(problems.flat()).toEqual([])
    })
    const keys = [...devnet.evmWallets, ...devnet.solanaWallets].flatMap(({ privateKey }) => encodingsOf(privateKey))
    return async (options: VisitOptions = {}): Promise<Visit> => {
      const { before, clock = false, expected = [], route, via = url, wallets } = options
      const isShared = visits.length === 0 && options.profile === undefined && !clock && via === url
      const profile = isShared ? await shared.open() : await openProfile(browser, options.profile ?? {})
      const { context, page } = profile
      const { harmless } = shared
      const monitor = startMonitor(context, { origin: via, secrets, keys, harmless })
      const installed: { current?: AsyncDisposable | void } = {}
      const leave = async () => {
        if (isShared) await installed.current?.[Symbol.asyncDispose]()
        await profile.leave()
      }
      visits.push(() => monitor.end(leave, [...always, ...expected]))

      visitors += 1
      const address = `10.0.${visitors >> 8}.${visitors & 255}`
      await context.setExtraHTTPHeaders({ "x-forwarded-for": address })
      const stored = { ...options.stored, ...(wallets && { "geoswap.wallets": storedWallets(stack, wallets) }) }
      if (Object.keys(stored).length > 0) {
        if (!isShared) await page.goto(`${via}${quietPath}`)
        await page.evaluate((items) => Object.assign(localStorage, items), stored)
      }
      if (clock) await page.clock.install()
      const visitor = swapPage(page)
      installed.current = await before?.(visitor)
      await page.goto(route === undefined ? via : `${via}/${linkTo(stack, route)}`)
      return { ...visitor, monitor, address }
    }
  })

/** A suite on real chains in a real browser. If one of them is missing, it is skipped and its title says why. */
export const describeInBrowser = (title: string, body: () => void): void => {
  const missing = existsSync(executablePath) ? "" : ` (skipped: there is no Chromium at ${executablePath})`
  describe.skipIf(missing !== "")(`in a browser${missing}: ${title}`, () => {
    body()
  })
}
