/** Every call of the service, and what it says when there are too many of them. */
import { expect } from "vitest"
import { ask, until, type World } from "./world.js"

/** With something that each takes or refuses, but not before it knows who calls, and how often. */
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

/** One call every other second, and two at once. */
export const bucket = { perSecond: 0.5, burst: 2 }

/** The third call of an operation is refused, whichever of its paths it is for; another account's is not. */
export const limited = async (world: World, operation: string): Promise<void> => {
  const mine = calls.filter(([name]) => name === operation)
  const send = (index: number, service = world.first) => {
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
  expect([1, 2]).toContain(after)
  expect(headers.get("ratelimit")).toBe(`"${operation}";r=0;t=${after}`)
  expect(headers.get("ratelimit-policy")).toBe(`"${operation}";q=2;w=4`)
  expect((await send(2, world.second)).status).not.toBe(429)
  await until(Date.now() + after * 1000)
  expect((await send(2)).status).not.toBe(429)
}
