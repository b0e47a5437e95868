/** Monitors a browser during a test: no requests to other hosts, policy violations or leaked secrets. */
import type { BrowserContext, ConsoleMessage, Request } from "playwright-core"

/** What the monitor checks for. */
export interface Guarded {
  /** The only allowed origin. */
  readonly origin: string
  /** Must not occur in requests, responses or storage. */
  readonly secrets: ReadonlyArray<string>
  /** The page may know these, but must not send them. */
  readonly keys: ReadonlyArray<string>
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
  /** Closes the context and returns all problems, except console messages that match `expected`. */
  readonly end: (expected?: ReadonlyArray<RegExp>) => Promise<ReadonlyArray<string>>
}

/** Logs violations in a fixed format, since the browser's own messages may change. */
const reportViolations = () =>
  addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) =>
    // oxlint-disable-next-line no-console -- the console is what is being monitored
    console.error(`policy violated: ${violatedDirective} by ${blockedURI}`)
  )

/** Starts the monitor before the page opens. */
export const startMonitor = async (context: BrowserContext, { keys, origin, secrets }: Guarded): Promise<Monitor> => {
  const sent: Array<Sent> = []
  const seen: Array<string> = []
  const said: Array<string> = []
  const answers: Array<Promise<string>> = []
  await context.addInitScript(reportViolations)

  const leaks = (what: string, text: string, forbidden: ReadonlyArray<string>) => {
    if (forbidden.some((secret) => text.includes(secret))) seen.push(`${what} contains a secret`)
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
    // A response that the page did not wait for has no body.
    answers.push(response.text().catch(() => ""))
  })
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
    end: async (expected = []) => {
      leaks("storage", JSON.stringify(await context.storageState()), [...secrets, ...keys])
      // First, since a response may never end.
      await context.close()
      for (const answer of await Promise.all(answers)) leaks("a response", answer, secrets)
      return [...seen, ...said.filter((line) => !expected.some((pattern) => pattern.test(line)))]
    }
  }
}
