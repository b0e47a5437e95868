/** Every call of the service, and its response when the rate limit is exceeded. */
import { expect } from "vitest"
import { ask, type Fixture } from "../fixture.js"

/** Each call has a body that it accepts or refuses only after authentication and rate limiting. */
export const calls: ReadonlyArray<readonly [operation: string, path: string, body?: object]> = [
  ["quote", "/swap/quote", {}],
  ["delegation", "/swap/delegation"],
  ["delegation", "/swap/delegation/1/x"],
  ["build", "/swap/build-geo-op", {}],
  ["build", "/swap/build-solana-tx", {}],
  ["submit", "/swap/submit", {}],
  ["submit", "/swap/submit-solana", {}],
  ["status", "/swap/status/x"],
  ["status", "/swap/status/y"],
  ["chains", "/swap/chains"]
]

/** One call every two seconds, with a burst of two. */
export const bucket = { perSecond: 0.5, burst: 2 }

/**
 * The third call of an operation is refused, for all of its paths; another account's is not. The server's
 * clock only advances with `pass`.
 */
export const limited = async (fixture: Fixture, operation: string, pass: (millis: number) => void): Promise<void> => {
  const mine = calls.filter(([name]) => name === operation)
  const send = (index: number, service = fixture.first) => {
    const [, path, body] = mine[index % mine.length] ?? [operation, ""]
    return ask(service, path, body)
  }
  const passed = [await send(0), await send(1)]
  for (const { headers, status } of passed) {
    expect([operation, status === 429]).toEqual([operation, false])
    expect(headers.get("ratelimit-policy")).toBe(`"${operation}";q=2;w=4`)
    expect(headers.get("retry-after")).toBeNull()
  }
  expect(passed[0]?.headers.get("ratelimit")).toBe(`"${operation}";r=1;t=2`)

  const { body, headers, status } = await send(2)
  const after = Number(headers.get("retry-after"))
  expect([operation, status, body["code"]]).toEqual([operation, 429, "RATE_LIMITED"])
  expect(after).toBe(2)
  expect(headers.get("ratelimit")).toBe(`"${operation}";r=0;t=${after}`)
  expect(headers.get("ratelimit-policy")).toBe(`"${operation}";q=2;w=4`)
  expect((await send(2, fixture.second)).status).not.toBe(429)
  pass(after * 1000 - 1)
  expect((await send(2)).status).toBe(429)
  pass(1)
  expect((await send(2)).status).not.toBe(429)
}
