import { SwapError } from "@geoswap/core"
import { describe, expect, it } from "@effect/vitest"
import { fetchTransport, type FetchTransportOptions } from "../src/index.js"
import { thrown } from "./failure.js"

const good = { baseUrl: "https://swap.example", apiKey: "key-1" }

const refusal = (options: unknown): SwapError.InvalidInput => {
  const error = thrown(() => fetchTransport(options as FetchTransportOptions))
  if (error instanceof SwapError.InvalidInput) return error
  throw error
}

describe("baseUrl", () => {
  it.each([
    "https://swap.example",
    "https://swap.example/",
    "https://swap.example:8443/geo/v1/",
    "https://10.0.0.1",
    "http://localhost:8787",
    "http://LOCALHOST:8787",
    "http://api.localhost:8787",
    "http://127.0.0.1:8787",
    "http://127.9.8.7",
    "http://127.1",
    "http://[::1]:8787",
    new URL("https://swap.example/geo"),
    new URL("http://localhost:8787")
  ])("takes %s", (baseUrl) => {
    expect(() => fetchTransport({ ...good, baseUrl })).not.toThrow()
  })

  it.each([
    "http://swap.example",
    "http://10.0.0.1",
    "http://192.168.1.2:8787",
    "http://0.0.0.0:8787",
    "http://localhost.example",
    "http://notlocalhost",
    "http://127.0.0.1.example",
    "http://128.0.0.1",
    "http://[::2]",
    "http://[::ffff:127.0.0.1]",
    "ftp://localhost",
    "ws://localhost",
    "file:///etc/hosts",
    "javascript:alert(1)"
  ])("refuses %s, since the key would travel in the clear or nowhere", (baseUrl) => {
    expect(refusal({ ...good, baseUrl })).toMatchObject({
      _tag: "InvalidInput",
      field: "baseUrl",
      message: "baseUrl: must begin with https://, except on localhost, 127.0.0.1 and [::1]."
    })
  })

  it.each([
    "https://me@swap.example",
    "https://me:canary@swap.example",
    "https://swap.example/?a=1",
    "https://swap.example/#a"
  ])("refuses %s, since nothing but a path may follow the host", (baseUrl) => {
    const { field, message } = refusal({ ...good, baseUrl })
    expect(field).toBe("baseUrl")
    expect(message).toBe("baseUrl: must not hold a user name, a password, a query or a fragment.")
  })

  it.each([
    undefined,
    null,
    "",
    " ",
    "swap.example",
    "/swap",
    "https://",
    "http//x",
    8787,
    true,
    {},
    [],
    ["https://swap.example"],
    () => "https://swap.example"
  ])("refuses %j, which is no address", (baseUrl) => {
    expect(refusal({ ...good, baseUrl })).toMatchObject({
      field: "baseUrl",
      message: "baseUrl: must be a whole address, for example https://swap.example."
    })
  })

  it("does not repeat an address that it cannot read, which may hold a password", () => {
    expect(refusal({ ...good, baseUrl: "https://me:canary@" }).message).not.toContain("canary")
  })
})

describe("apiKey", () => {
  it.each(["k", "sk_live_0123456789abcdefABCDEF", "a.b-c_d~e+f/g==", "!#$%&'*+"])("takes %s", (apiKey) => {
    expect(() => fetchTransport({ ...good, apiKey })).not.toThrow()
  })

  it.each([
    ["", "apiKey: must not be empty."],
    ["   ", "apiKey: must not be empty."],
    ["\n", "apiKey: must not be empty."],
    ["canary ", "apiKey: must not hold a space, a line break or a character outside ASCII."],
    ["can ary", "apiKey: must not hold a space, a line break or a character outside ASCII."],
    ["canary\n", "apiKey: must not hold a space, a line break or a character outside ASCII."],
    ["canary\r\nx-admin: 1", "apiKey: must not hold a space, a line break or a character outside ASCII."],
    ["canary\u0000", "apiKey: must not hold a space, a line break or a character outside ASCII."],
    ["canaryé", "apiKey: must not hold a space, a line break or a character outside ASCII."],
    ["canary\u200b", "apiKey: must not hold a space, a line break or a character outside ASCII."],
    [undefined, "apiKey: must be a text, or a function that gives one."],
    [null, "apiKey: must be a text, or a function that gives one."],
    [42, "apiKey: must be a text, or a function that gives one."],
    [{ key: "canary" }, "apiKey: must be a text, or a function that gives one."]
  ])("refuses %j in words that do not repeat it", (apiKey, message) => {
    const error = refusal({ ...good, apiKey })
    expect(error).toMatchObject({ field: "apiKey", message, retry: "never" })
    expect(error.message).not.toContain("canary")
  })
})

describe("the other options", () => {
  it.each<[string, Record<string, unknown>]>([
    ["fetch", { fetch: "fetch" }],
    ["fetch", { fetch: {} }],
    ["headers", { headers: "x-a: b" }],
    ["headers", { headers: null }],
    ["headers.x-api-key", { headers: { "x-api-key": "another" } }],
    ["headers.X-API-Key", { headers: { "X-API-Key": "another" } }],
    ["headers.Content-Type", { headers: { "Content-Type": "text/plain" } }],
    ["headers.accept", { headers: { accept: "*/*" } }],
    ["headers.x a", { headers: { "x a": "b" } }],
    ["headers.", { headers: { "": "b" } }],
    ["headers.x-a", { headers: { "x-a": "canary\r\nx-b: c" } }],
    ["headers.x-a", { headers: { "x-a": "canary→" } }],
    ["headers.x-a", { headers: { "x-a": 1 } }],
    ["headers.x-a", { headers: { "x-a": undefined } }],
    ["timeouts", { timeouts: 5_000 }],
    ["timeouts", { timeouts: "5s" }],
    ["timeouts.quote", { timeouts: { quote: 0 } }],
    ["timeouts.quote", { timeouts: { quote: -1 } }],
    ["timeouts.status", { timeouts: { status: Number.NaN } }],
    ["timeouts.status", { timeouts: { status: Number.POSITIVE_INFINITY } }],
    ["timeouts.status", { timeouts: { status: 2 ** 31 } }],
    ["timeouts.submit", { timeouts: { submit: "5000" } }],
    ["timeouts.builds", { timeouts: { builds: 5_000 } }],
    ["timeouts.toString", { timeouts: { toString: 5_000 } }],
    ["maxResponseBytes", { maxResponseBytes: 0 }],
    ["maxResponseBytes", { maxResponseBytes: -1 }],
    ["maxResponseBytes", { maxResponseBytes: Number.POSITIVE_INFINITY }],
    ["maxResponseBytes", { maxResponseBytes: "1024" }],
    ["maxResponseBytes", { maxResponseBytes: null }],
    ["delegationPath", { delegationPath: "body" }],
    ["delegationPath", { delegationPath: null }],
    ["traceparent", { traceparent: "yes" }],
    ["traceparent", { traceparent: null }]
  ])("refuses a wrong %s: %j", (field, wrong) => {
    const error = refusal({ ...good, ...wrong })
    expect(error).toMatchObject({ _tag: "InvalidInput", field, retry: "never" })
    expect(error.message).toMatch(/^.+: must .+\.$/)
    expect(error.message).not.toContain("canary")
  })

  it.each<Record<string, unknown>>([
    { fetch: undefined, headers: undefined, timeouts: undefined, maxResponseBytes: undefined },
    { delegationPath: undefined, traceparent: undefined },
    { timeouts: { quote: undefined, status: 60_000 } },
    { headers: { "User-Agent": "agent/1.0", "x-empty": "", "x-latin": "café" } }
  ])("takes %j", (options) => {
    expect(() => fetchTransport({ ...good, ...options })).not.toThrow()
  })

  it.each([undefined, null, {}, "https://swap.example"])("says what is missing where the options are %j", (options) => {
    expect(refusal(options).field).toBe("baseUrl")
  })

  it("asks for a fetch where the runtime has none", () => {
    const { fetch } = globalThis
    Reflect.deleteProperty(globalThis, "fetch")
    try {
      expect(refusal(good).field).toBe("fetch")
      expect(() => fetchTransport({ ...good, fetch })).not.toThrow()
    } finally {
      globalThis.fetch = fetch
    }
  })
})
