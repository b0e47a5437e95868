/** Browser profiles: storage, cache and tabs. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { reportViolations } from "./monitor.js"

/** A profile during a visit. */
export interface Profile {
  readonly context: BrowserContext
  readonly page: Page
  /** Ends the visit: nothing of the page runs any more. */
  readonly leave: () => Promise<void>
}

/** A file of the page's origin in which nothing runs, to change the storage before the page loads. */
export const quietPath = "/theme.js"

const viewport = { width: 1280, height: 720 }
/** A moving page is drawn up to sixty times a second, which takes more time than everything else in a test. */
const reducedMotion = "reduce"

const openContext = async (browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> => {
  const context = await browser.newContext({ locale: "en-GB", viewport, reducedMotion, ...options })
  context.setDefaultTimeout(60_000)
  await context.addInitScript(reportViolations)
  return context
}

/** Opens a new profile for one visit. */
export const openProfile = async (browser: Browser, options: BrowserContextOptions): Promise<Profile> => {
  const context = await openContext(browser, options)
  return { context, page: await context.newPage(), leave: () => context.close() }
}

/**
 * Opens a profile for many visits, one after another. Each one starts with empty storage, but with the files of the page
 * in the cache, and in a process that has compiled them: it loads in half the time.
 */
export const openSharedProfile = async (browser: Browser, origin: string): Promise<() => Promise<Profile>> => {
  const context = await openContext(browser, {})
  let page = await context.newPage()
  await page.goto(`${origin}${quietPath}`)
  const leave = async () => {
    await context.setOffline(false)
    // A test may close the tab, or open others.
    if (page.isClosed()) page = await context.newPage()
    await Promise.all(context.pages().map((other) => (other === page ? page.unrouteAll() : other.close())))
    await page.goto(`${origin}${quietPath}`)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: null, reducedMotion })
  }
  return async () => ({ context, page, leave })
}
