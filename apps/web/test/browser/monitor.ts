/** Looks at all that a browser does during a test: nothing may go elsewhere, break a policy or give a secret away. */
import type { BrowserContext, ConsoleMessage, Request } from "playwright-core"

/** What must not be seen, and where. */
export interface Guarded {
  /** The only site there is. */
  readonly origin: string
  /** What no request and no answer may hold, and no storage. */
  readonly secrets: ReadonlyArray<string>
  /** What the page may know and never send. */
  readonly keys: ReadonlyArray<string>
}

/** A request that the page made. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** What was seen of a browser context. */
export interface Monitor {
  /** Every request so far. */
  readonly sent: ReadonlyArray<Sent>
  /** How many requests went to a path. */
  readonly count: (path: string) => number
  /** Ends the context, and gives all that was not as it should be; what the console said and matches is expected. */
  readonly end: (expected?: ReadonlyArray<RegExp>) => Promise<ReadonlyArray<string>>
}

/** Said by the page itself, so that a violation also shows where the browser's own words change. */
const reportViolations = () =>
  addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) =>
    // oxlint-disable-next-line no-console -- the console is what is being monitored
    console.error(`policy violated: ${violatedDirective} by ${blockedURI}`)
  )

/** Begins to watch, before there is a page. */
export const startMonitor = async (context: BrowserContext, { keys, origin, secrets }: Guarded): Promise<Monitor> => {
  const sent: Array<Sent> = []
  const seen: Array<string> = []
  const said: Array<string> = []
  const answers: Array<Promise<string>> = []
  await context.addInitScript(reportViolations)

  const leaks = (what: string, text: string, forbidden: ReadonlyArray<string>) => {
    if (forbidden.some((secret) => text.includes(secret))) seen.push(`${what} holds a secret`)
  }

  context.on("request", (request) => {
    const url = new URL(request.url())
    const body = request.postData() ?? ""
    if (url.protocol !== "data:" && url.origin !== origin) seen.push(`request to ${url.origin}`)
    sent.push({ method: request.method(), path: url.pathname, body })
    const whole = `${request.url()} ${JSON.stringify(request.headers())} ${body}`
    leaks(`request ${url.pathname}`, whole, [...secrets, ...keys])
  })
  context.on("response", (response) => {
    // An answer that the page did not wait for has no body.
    answers.push(response.text().catch(() => ""))
  })
  context.on("requestfailed", (request: Request) => {
    // What the page itself gave up is no failure.
    const reason = request.failure()?.errorText ?? ""
    if (reason !== "net::ERR_ABORTED") said.push(`request failed: ${request.url()} ${reason}`)
  })
  context.on("console", (message: ConsoleMessage) => {
    if (["error", "warning"].includes(message.type())) said.push(`console ${message.type()}: ${message.text()}`)
  })
  context.on("weberror", (error) => void seen.push(`uncaught: ${error.error().message}`))

  return {
    sent,
    count: (path) => sent.filter((request) => request.path === path).length,
    end: async (expected = []) => {
      leaks("the storage", JSON.stringify(await context.storageState()), [...secrets, ...keys])
      // First, since an answer that never ends would be waited for.
      await context.close()
      for (const answer of await Promise.all(answers)) leaks("an answer", answer, secrets)
      return [...seen, ...said.filter((line) => !expected.some((pattern) => pattern.test(line)))]
    }
  }
}
