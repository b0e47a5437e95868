import { describe, expect, it } from "@effect/vitest"
import { describe as describeFailure, isRateLimit, type Report } from "../../src/chains/nodeFailure.js"

const now = Date.UTC(2026, 0, 1)
const failureOf = (report: Partial<Report>) => describeFailure({ cause: undefined, ...report }, "eth_call", 500, now)
const systemError = (code: string) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("https://host/secret"), { code }) })
const refused = (code: number, message: string) => ({
  refusal: { code, message, isRateLimit: isRateLimit({ code, message }) }
})

describe("a failed request to a node", () => {
  it.each<readonly [string, Partial<Report>, string, string]>([
    ["a timeout", { isTimeout: true }, "timeout", "did not respond to eth_call within 500 ms"],
    ["a redirect", { isRedirect: true }, "redirect", "responded to eth_call with a redirect, which is not followed"],
    ["a status", { status: 503 }, "status", "responded to eth_call with HTTP 503"],
    ["status 429", { status: 429 }, "limited", "responded to eth_call with HTTP 429"],
    [
      "a refused connection",
      { cause: systemError("ECONNREFUSED") },
      "unreachable",
      "could not be reached for eth_call: connection refused (ECONNREFUSED)"
    ],
    [
      "an unknown host",
      { cause: systemError("ENOTFOUND") },
      "unreachable",
      "could not be reached for eth_call: unknown host name (ENOTFOUND)"
    ],
    [
      "another failed connection",
      { cause: new TypeError("fetch failed") },
      "unreachable",
      "could not be reached for eth_call: connection failed"
    ],
    [
      "an incomplete response",
      { cause: new TypeError("terminated", { cause: systemError("UND_ERR_SOCKET") }) },
      "unreadable",
      "returned an invalid response to eth_call"
    ],
    [
      "invalid JSON",
      { cause: new SyntaxError("Unexpected token") },
      "unreadable",
      "returned an invalid response to eth_call"
    ],
    [
      "a JSON-RPC error",
      refused(-32_000, "no key 0123456789abcdef0123456789abcdef at https://host/key"),
      "refused",
      "rejected eth_call: no key … at … (-32000)"
    ],
    [
      "a JSON-RPC rate limit",
      refused(-32_029, "Too Many Requests"),
      "limited",
      "rejected eth_call: Too Many Requests (-32029)"
    ]
  ])("is described by %s", (_, report, fault, message) => {
    expect(failureOf(report)).toMatchObject({ fault, message })
  })

  it.each([
    [429, "Your app has exceeded its compute units per second capacity."],
    [-32_007, "50/second request limit reached - reduce calls per second or upgrade your account"],
    [-32_016, "over rate limit"],
    [-32_090, "Too many requests, retry in 10s"],
    [-32_000, "daily request count exceeded, request rate limited"]
  ])("is a rate limit if the error is %s: %s", (code, message) => {
    expect(isRateLimit({ code, message })).toBe(true)
  })

  it.each([
    [3, "execution reverted: too many requests"],
    [-32_000, "execution reverted: rate limit exceeded"],
    [-32_000, "exceeds block gas limit"],
    [-32_602, "query returned more than 10000 results"]
  ])("is not a rate limit if the error is %s: %s", (code, message) => {
    expect(isRateLimit({ code, message })).toBe(false)
  })

  it.each([
    ["30", 30_000],
    ["Thu, 01 Jan 2026 00:00:05 GMT", 5_000],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["soon", undefined]
  ])("says when the node may be called again if Retry-After is %s", (text, retryAfterMillis) => {
    expect(failureOf({ status: 429, headers: new Headers({ "retry-after": text }) })).toEqual({
      fault: "limited",
      message: "responded to eth_call with HTTP 429",
      retryAfterMillis
    })
  })
})
