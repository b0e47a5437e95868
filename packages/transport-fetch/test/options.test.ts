import { SwapError } from "@geoswap/core"
import { describe, expect, it } from "@effect/vitest"
import { fetchTransport, type FetchTransportOptions } from "../src/index.js"
import { thrown } from "../../../tooling/testing/expectError.ts"

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
  ])("accepts %s", (baseUrl) => {
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
  ])("refuses %s, which is neither https nor localhost", (baseUrl) => {
    const error = refusal({ ...good, baseUrl })
    expect(error).toMatchObject({ _tag: "InvalidInput", field: "baseUrl" })
    expect(error.message).toContain("https")
  })

  it.each([
    "https://me@swap.example",
    "https://me:canary@swap.example",
    "https://swap.example/?a=1",
    "https://swap.example/#a"
  ])("refuses %s, which has more than a host and a path", (baseUrl) => {
    const { field, message } = refusal({ ...good, baseUrl })
    expect(field).toBe("baseUrl")
    expect(message).not.toContain("canary")
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
    () => "https://swap.example"
  ])("refuses %j, which is not a URL", (baseUrl) => {
    expect(refusal({ ...good, baseUrl })).toMatchObject({ _tag: "InvalidInput", field: "baseUrl" })
  })

  it("is always refused with the same message, which says what is expected", () => {
    const wrong = [
      undefined,
      "swap.example",
      "http://swap.example",
      "https://me@swap.example",
      "https://swap.example/?a"
    ]
    const messages = new Set(wrong.map((baseUrl) => refusal({ ...good, baseUrl }).message))
    expect([...messages]).toEqual([expect.stringMatching(/^baseUrl: expected https:.* http:.* localhost/)])
  })

  it("does not show an invalid URL, which may contain a password", () => {
    expect(refusal({ ...good, baseUrl: "https://me:canary@" }).message).not.toContain("canary")
  })
})

describe("apiKey", () => {
  it.each(["k", "sk_live_0123456789abcdefABCDEF", "a.b-c_d~e+f/g==", "!#$%&'*+"])("accepts %s", (apiKey) => {
    expect(() => fetchTransport({ ...good, apiKey })).not.toThrow()
  })

  it.each([
    "",
    "   ",
    "\n",
    "canary ",
    "can ary",
    "canary\n",
    "canary\r\nx-admin: 1",
    "canary\u0000",
    "canaryé",
    "canary\u200b",
    undefined,
    null,
    42,
    { key: "canary" }
  ])("refuses %j without showing it", (apiKey) => {
    const error = refusal({ ...good, apiKey })
    expect(error).toMatchObject({ _tag: "InvalidInput", field: "apiKey", retry: "never" })
    expect(error.message).not.toContain("canary")
  })
})

describe("the other options", () => {
  it.each<[string, Record<string, unknown>]>([
    ["headers", { headers: "x-a: b" }],
    ["headers", { headers: null }],
    ["headers", { headers: { "x a": "b" } }],
    ["headers", { headers: { "": "b" } }],
    ["headers", { headers: { "x-a": "canary\r\nx-b: c" } }],
    ["headers", { headers: { "x-a": "canary→" } }],
    ["quote", { timeouts: { quote: 0 } }],
    ["quote", { timeouts: { quote: -1 } }],
    ["quote", { timeouts: { quote: 1.5 } }],
    ["quote", { timeouts: { quote: undefined } }],
    ["chains", { timeouts: { chains: null } }],
    ["status", { timeouts: { status: Number.NaN } }],
    ["status", { timeouts: { status: Number.POSITIVE_INFINITY } }],
    ["status", { timeouts: { status: 2 ** 31 } }],
    ["submit", { timeouts: { submit: "5000" } }],
    ["maxResponseBytes", { maxResponseBytes: 0 }],
    ["maxResponseBytes", { maxResponseBytes: -1 }],
    ["maxResponseBytes", { maxResponseBytes: Number.POSITIVE_INFINITY }],
    ["maxResponseBytes", { maxResponseBytes: "1024" }],
    ["maxResponseBytes", { maxResponseBytes: null }]
  ])("refuse an invalid %s: %j", (field, wrong) => {
    const error = refusal({ ...good, ...wrong })
    expect(error).toMatchObject({ _tag: "InvalidInput", field, retry: "never" })
    expect(error.message.startsWith(`${field}: expected `)).toBe(true)
    expect(error.message).not.toContain("canary")
  })

  it.each<Record<string, unknown>>([
    { fetch: undefined, headers: undefined, timeouts: undefined, maxResponseBytes: undefined },
    { delegationPath: undefined, traceparent: undefined },
    { timeouts: { quote: 1, status: 2 ** 31 - 1 } },
    { timeouts: { another: 60_000 } },
    { headers: { "User-Agent": "agent/1.0", "x-empty": "", "x-latin": "café" } }
  ])("accept %j", (options) => {
    expect(() => fetchTransport({ ...good, ...options })).not.toThrow()
  })

  it.each([undefined, null, {}, "https://swap.example"])("name the missing option if the options are %j", (options) => {
    expect(refusal(options).field).toBe("baseUrl")
  })
})
