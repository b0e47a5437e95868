/** Monitors a browser during a test: no requests to other hosts, policy violations or leaked secrets. */
import type { BrowserContext, ConsoleMessage, Request, Response } from "playwright-core"

/** What the monitor checks for. */
export interface Guarded {
  /** The only allowed origin. */
  readonly origin: string
  /** Must not occur in requests, responses or storage. */
  readonly secrets: ReadonlyArray<string>
  /** The page may know these, but must not send them. */
  readonly keys: ReadonlyArray<string>
  /** The assets that contain no secret. The URL of an asset contains a hash of its content, so one check is enough. */
  readonly harmless: Set<string>
}

/** A request of the page. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** The monitor of a browser context. */
export interface Monitor {
  /** Every request so far. */
  readonly sent: ReadonlyArray<Sent>
  /** Counts the requests to a path. */
  readonly count: (path: string) => number
  /** Leaves the page and returns all problems, except console messages that match `expected`. */
  readonly end: (leave: () => Promise<void>, expected?: ReadonlyArray<RegExp>) => Promise<ReadonlyArray<string>>
}

/** Logs violations in a fixed format, since the browser's own messages may change. Runs in every page. */
export const reportViolations = () =>
  addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) =>
    // oxlint-disable-next-line no-console -- the console is what is being monitored
    console.error(`policy violated: ${violatedDirective} by ${blockedURI}`)
  )

const events = ["request", "response", "requestfailed", "console", "weberror"]

/** Starts the monitor before the page opens. */
export const startMonitor = (context: BrowserContext, { harmless, keys, origin, secrets }: Guarded): Monitor => {
  const sent: Array<Sent> = []
  const seen: Array<string> = []
  const said: Array<string> = []
  const answers: Array<Promise<void>> = []

  const leaks = (what: string, text: string, forbidden: ReadonlyArray<string>): boolean => {
    const found = forbidden.some((secret) => text.includes(secret))
    if (found) seen.push(`${what} contains a secret`)
    return found
  }
  const readResponse = async (response: Response): Promise<void> => {
    const url = response.url()
    if (harmless.has(url)) return
    // A response that the page did not wait for has no body.
    const text = await response.text().catch(() => "")
    const leaked = leaks("a response", text, secrets)
    if (!leaked && text !== "" && url.startsWith(`${origin}/assets/`)) harmless.add(url)
  }

  context.on("request", (request) => {
    const url = new URL(request.url())
    const body = request.postData() ?? ""
    if (url.protocol !== "data:" && url.origin !== origin) seen.push(`request to ${url.origin}`)
    sent.push({ method: request.method(), path: url.pathname, body })
    const whole = `${request.url()} ${JSON.stringify(request.headers())} ${body}`
    leaks(`request ${url.pathname}`, whole, [...secrets, ...keys])
  })
  context.on("response", (response) => void answers.push(readResponse(response)))
  context.on("requestfailed", (request: Request) => {
    // A request that the page aborted is not a failure.
    const reason = request.failure()?.errorText ?? ""
    if (reason !== "net::ERR_ABORTED") said.push(`request failed: ${request.url()} ${reason}`)
  })
  context.on("console", (message: ConsoleMessage) => {
    if (!["error", "warning"].includes(message.type())) return
    // A message about a response does not name the request.
    const { url } = message.location()
    said.push(`console ${message.type()}: ${message.text()}${url === "" ? "" : ` (${new URL(url).pathname})`}`)
  })
  context.on("weberror", (error) => void seen.push(`uncaught: ${error.error().message}`))

  return {
    sent,
    count: (path) => sent.filter((request) => request.path === path).length,
    end: async (leave, expected = []) => {
      leaks("storage", JSON.stringify(await context.storageState()), [...secrets, ...keys])
      // First, since a response may never end.
      await leave()
      await Promise.all(answers)
      for (const event of events) context.removeAllListeners(event)
      return [...seen, ...said.filter((line) => !expected.some((pattern) => pattern.test(line)))]
    }
  }
}
