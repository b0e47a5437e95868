/** Validates the options and resolves them to the settings for every request. */
import { SwapError, type Transport } from "@geoswap/core"

/** Options for a transport. */
export interface FetchTransportOptions extends Transport.Options {
  /** The service's URL, with or without a path. It must use https, except on localhost. */
  readonly baseUrl: string | URL
  /**
   * The API key or, if the key rotates, a function that returns the current key for each request. Omit the key if your
   * own server adds it. `undefined` is refused, because it is usually a missing environment variable.
   */
  readonly apiKey?: string | (() => string | Promise<string>)
  /** Replaces the global `fetch`. The replacement must support `signal` and `redirect`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Additional headers for every request. Headers set by the transport take precedence. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Timeouts in milliseconds, by type of call. The EVM and Solana endpoints of a call have the same timeout. */
  readonly timeouts?: { readonly [Call in keyof typeof timeouts]?: number } | undefined
  /** The maximum size of a response body, in bytes (default: 1 MiB). */
  readonly maxResponseBytes?: number | undefined
}

/** Default timeouts in milliseconds. The status timeout exceeds the 15 s that the service may take to respond. */
const timeouts = { quote: 10_000, delegation: 10_000, build: 15_000, submit: 20_000, status: 25_000, chains: 10_000 }

/**
 * The type of call that an endpoint belongs to. Changing a delegation sends a transaction, like a submit call, and its
 * status request waits, like a swap's.
 */
export const callOf = (endpoint: Transport.Endpoint): keyof typeof timeouts =>
  endpoint === "change-delegation"
    ? "submit"
    : endpoint === "delegation-status"
      ? "status"
      : (endpoint.split("-", 1)[0] as keyof typeof timeouts)

const refuse = (field: string, expected: string): never => {
  throw new SwapError.InvalidInput({ field, message: `${field}: expected ${expected}.` })
}

/** Whether a key can be sent in a header. */
export const isKey = (key: unknown): key is string => typeof key === "string" && /^[!-~]+$/.test(key)

/** Reads an option. If `read` throws, the resulting error does not reveal the option's value, which may be a secret. */
const readOption = <A>(field: string, expected: string, read: () => A): A => {
  try {
    return read()
  } catch {
    return refuse(field, expected)
  }
}

/** Returns the settings for every request. Throws `InvalidInput` if an option is invalid. */
export const resolveOptions = (options: FetchTransportOptions) => {
  const { apiKey, baseUrl, maxResponseBytes = 2 ** 20 } = { ...options }
  const address = readOption("baseUrl", "https://host/path, or http:// on localhost", () => {
    const { hash, hostname, origin, password, pathname, protocol, search, username } = new URL(baseUrl)
    const local = protocol === "http:" && /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
    if ((protocol !== "https:" && !local) || username + password + search + hash !== "") throw new Error()
    return origin + pathname.replace(/\/+$/, "")
  })
  if ("apiKey" in { ...options } && typeof apiKey !== "function" && !isKey(apiKey))
    refuse("apiKey", "a key of visible ASCII characters, a function, or no apiKey field")
  const limits = { ...timeouts, ...options.timeouts, maxResponseBytes }
  for (const [field, limit] of Object.entries(limits)) {
    // Reject an invalid limit now, because an invalid timeout would later look like a network failure.
    if (!(limit > 0 && (limit | 0) === limit)) refuse(field, "a whole number greater than 0")
  }
  return {
    address,
    apiKey,
    // Look up the global for each call, because tracers and test tools replace it.
    fetch: options.fetch ?? ((input: string, init: RequestInit) => fetch(input, init)),
    headers: readOption("headers", "valid HTTP header names and values", () =>
      Object.fromEntries(new Headers(options.headers))
    ),
    limits,
    // A redirect would leak the key, and quotes must not be cached. Runtimes without a cache reject the `cache`
    // option.
    init: { redirect: "manual", ...("cache" in Request.prototype && { cache: "no-store" }) } satisfies RequestInit
  }
}
