/** The options, and what they come to: settings for every request, or words about the first that makes no sense. */
import { SwapError } from "@geoswap/core"

/** What a transport is made of. */
export interface FetchTransportOptions {
  /** Where the service is, with or without a path; https, except on this machine. */
  readonly baseUrl: string | URL
  /** The key, or a function that gives it anew for each request, for keys that rotate. */
  readonly apiKey: string | (() => string | Promise<string>)
  /** Used in place of the runtime's own; it has to honour `signal` and `redirect`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Headers that go along with every request; those that the transport sets itself are refused. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Milliseconds that each call may take, its EVM and its Solana form alike. */
  readonly timeouts?: { readonly [Call in keyof typeof timeouts]?: number | undefined } | undefined
  /** The largest body that is read, in bytes; 1 MiB where absent. */
  readonly maxResponseBytes?: number | undefined
  /** Which form of `GET /swap/delegation` the service takes; `query` where absent. */
  readonly delegationPath?: "query" | "path" | undefined
  /** Whether requests carry the caller's trace (W3C Trace Context); `true` where absent. */
  readonly traceparent?: boolean | undefined
}

/** Milliseconds. Status outlives the 15 s for which the service holds it (§8). */
const timeouts = { quote: 10_000, delegation: 10_000, build: 15_000, submit: 20_000, status: 25_000, chains: 10_000 }

const refuse = (field: string, flaw: string): never => {
  throw new SwapError.InvalidInput({ field, message: `${field}: ${flaw}.` })
}

/** What is wrong with a key, in words that do not repeat it; `undefined` where it is good. */
export const flawOf = (key: unknown): string | undefined => {
  if (typeof key !== "string") return "must be a text, or a function that gives one"
  if (key.trim() === "") return "must not be empty"
  return /^[!-~]+$/.test(key) ? undefined : "must not hold a space, a line break or a character outside ASCII"
}

const parse = (baseUrl: FetchTransportOptions["baseUrl"] | null | undefined): URL => {
  try {
    return new URL(typeof baseUrl === "string" ? baseUrl : (baseUrl?.href as string))
  } catch {
    // Without the address: a password may be in it.
    return refuse("baseUrl", "must be a whole address, for example https://swap.example")
  }
}

const addressOf = (baseUrl: FetchTransportOptions["baseUrl"]): URL => {
  const url = parse(baseUrl)
  const isLoopback = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback)) {
    refuse("baseUrl", "must begin with https://, except on localhost, 127.0.0.1 and [::1]")
  }
  if (url.username + url.password + url.search + url.hash !== "") {
    refuse("baseUrl", "must not hold a user name, a password, a query or a fragment")
  }
  return url
}

const entriesOf = <A>(field: string, given: Readonly<Record<string, A>>): Array<[string, A]> =>
  typeof given === "object" && given !== null ? Object.entries(given) : refuse(field, "must be an object")

const headersOf = (given: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entriesOf("headers", given).map(([name, value]) => {
      const lower = name.toLowerCase()
      if (/^(x-api-key|accept|content-type)$/.test(lower)) {
        refuse(`headers.${name}`, "must be left to the transport, which sets it")
      }
      // Without the value: it may be a secret.
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || typeof value !== "string" || !/^[\t -~\x80-\xff]*$/.test(value)) {
        refuse(`headers.${name}`, "must be a name and a text that HTTP allows")
      }
      return [lower, value]
    })
  )

const positive = (field: string, value: number, most: number): number =>
  typeof value === "number" && value > 0 && value <= most ? value : refuse(field, `must be above 0 and at most ${most}`)

const timeoutsOf = (given: NonNullable<FetchTransportOptions["timeouts"]>): typeof timeouts => {
  const all = { ...timeouts }
  for (const [call, millis] of entriesOf<number | undefined>("timeouts", given)) {
    const field = `timeouts.${call}`
    if (!Object.hasOwn(timeouts, call)) refuse(field, `must be one of ${Object.keys(timeouts).join(", ")}`)
    // A timer that is set beyond this fires at once.
    if (millis !== undefined) all[call as keyof typeof timeouts] = positive(field, millis, 2 ** 31 - 1)
  }
  return all
}

/** Cloudflare's workers throw on a field of a request that they do not know; those have no such property either. */
const isKnown = (field: string): boolean => typeof Request === "function" && field in Request.prototype

/** What every request needs; throws `InvalidInput` where an option makes no sense. */
export const settle = (options: FetchTransportOptions) => {
  const {
    apiKey,
    baseUrl,
    delegationPath,
    headers = {},
    maxResponseBytes = 2 ** 20,
    traceparent = true
  } = options ?? {}
  const url = addressOf(baseUrl)
  const flaw = typeof apiKey === "function" ? undefined : flawOf(apiKey)
  if (flaw !== undefined) refuse("apiKey", flaw)
  if (typeof (options.fetch ?? globalThis.fetch) !== "function") {
    refuse("fetch", "must be a function")
  }
  if (!["query", "path", undefined].includes(delegationPath)) refuse("delegationPath", "must be query or path")
  if (typeof traceparent !== "boolean") refuse("traceparent", "must be true or false")
  return {
    address: url.origin + url.pathname.replace(/\/+$/, ""),
    host: url.host,
    apiKey,
    // The runtime's own is looked up with each call: tracers and test tools replace it.
    fetch: options.fetch ?? ((input: string, init: RequestInit) => fetch(input, init)),
    headers: headersOf(headers),
    timeouts: timeoutsOf(options.timeouts ?? {}),
    maxResponseBytes: positive("maxResponseBytes", maxResponseBytes, Number.MAX_SAFE_INTEGER),
    traceparent,
    // A redirect would take the key along; quotes must not be cached (§2.1); the key is the only credential.
    init: {
      redirect: "manual",
      ...(isKnown("cache") && { cache: "no-store" }),
      ...(isKnown("credentials") && { credentials: "omit" })
    } satisfies RequestInit
  }
}
