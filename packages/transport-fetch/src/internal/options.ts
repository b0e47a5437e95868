/** The options, and what they come to: settings for every request, or words about the first that makes no sense. */
import { SwapError, type Transport } from "@geoswap/core"

/** What a transport is made of. */
export interface FetchTransportOptions extends Transport.Options {
  /** Where the service is, with or without a path; https, except on this machine. */
  readonly baseUrl: string | URL
  /** The key, or a function that gives it anew for each request, for keys that rotate. */
  readonly apiKey: string | (() => string | Promise<string>)
  /** Used in place of the runtime's own; it has to honour `signal` and `redirect`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Headers that go along with every request; those that the transport sets itself win. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Milliseconds that each call may take, its EVM and its Solana form alike. */
  readonly timeouts?: { readonly [Call in keyof typeof timeouts]?: number } | undefined
  /** The largest body that is read, in bytes; 1 MiB where absent. */
  readonly maxResponseBytes?: number | undefined
}

/** Milliseconds. Status outlives the 15 s for which the service holds it (§8). */
const timeouts = { quote: 10_000, delegation: 10_000, build: 15_000, submit: 20_000, status: 25_000, chains: 10_000 }

const refuse = (field: string, expected: string): never => {
  throw new SwapError.InvalidInput({ field, message: `${field}: should be ${expected}.` })
}

/** Whether a key can go into a header. */
export const isKey = (key: unknown): key is string => typeof key === "string" && /^[!-~]+$/.test(key)

/** What `read` gives; where it throws, words that do not repeat what was given, since that may be a secret. */
const readOption = <A>(field: string, expected: string, read: () => A): A => {
  try {
    return read()
  } catch {
    return refuse(field, expected)
  }
}

/** What every request needs; throws `InvalidInput` where an option makes no sense. */
export const resolveOptions = (options: FetchTransportOptions) => {
  const { apiKey, baseUrl, maxResponseBytes = 2 ** 20 } = { ...options }
  const address = readOption("baseUrl", "https://host/path, or http:// on localhost", () => {
    const { hash, hostname, origin, password, pathname, protocol, search, username } = new URL(baseUrl)
    const local = protocol === "http:" && /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
    if ((protocol !== "https:" && !local) || username + password + search + hash !== "") throw new Error()
    return origin + pathname.replace(/\/+$/, "")
  })
  if (typeof apiKey !== "function" && !isKey(apiKey)) refuse("apiKey", "a key of visible ASCII, or a function")
  const limits = { ...timeouts, ...options.timeouts, maxResponseBytes }
  for (const [field, limit] of Object.entries(limits)) {
    // What no timer takes is told now: with each call it would look like a network that fails.
    if (!(limit > 0 && (limit | 0) === limit)) refuse(field, "a whole number above 0")
  }
  return {
    address,
    apiKey,
    // The runtime's own is looked up with each call: tracers and test tools replace it.
    fetch: options.fetch ?? ((input: string, init: RequestInit) => fetch(input, init)),
    headers: readOption("headers", "names and texts that HTTP allows", () =>
      Object.fromEntries(new Headers(options.headers))
    ),
    limits,
    // A redirect would take the key along; quotes must not be cached (§2.1), and runtimes without a cache refuse the word.
    init: { redirect: "manual", ...("cache" in Request.prototype && { cache: "no-store" }) } satisfies RequestInit
  }
}
