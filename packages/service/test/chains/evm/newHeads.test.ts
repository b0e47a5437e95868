import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { announcement, confirmed, make as serve } from "../../../../../tooling/testing/socketServer.js"
import * as NewHeads from "../../../src/chains/evm/nodes/newHeads.js"
import * as Metrics from "../../../src/monitoring/Metrics.js"

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, "0")}` as const

const elapse = (millis: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, millis)))

/** Waits in real time, because sockets do not follow the clock of a test. */
const until = (condition: () => boolean) =>
  Effect.gen(function* () {
    while (!condition()) yield* elapse(2)
  })

/** Lets the clock run until a condition holds, and returns how long that took at most. */
const clockUntil = (condition: () => boolean, meanwhile: Effect.Effect<void> = Effect.void) =>
  Effect.gen(function* () {
    let millis = 0
    for (; !condition(); millis += 100) {
      yield* meanwhile
      yield* TestClock.adjust("100 millis")
      yield* elapse(1)
    }
    return millis
  })

const subscribe = Effect.fnUntraced(function* (url: string) {
  const scope = yield* Effect.scope
  const newHeads = NewHeads.make({ chainId: 1, url, timeoutMillis: 3_000, scope })
  let changes = 0
  newHeads.listen(() => void (changes += 1))
  return { newHeads, changes: () => changes }
})

describe("a subscription to new blocks", () => {
  it.effect("is opened when it is used, and reports the latest announced block", () =>
    Effect.gen(function* () {
      const server = yield* serve()
      const { changes, newHeads } = yield* subscribe(server.url)
      yield* elapse(20)
      expect(server.requests).toEqual([])
      yield* newHeads.use
      yield* newHeads.use
      yield* until(() => server.requests.length === 1)
      expect(JSON.parse(server.requests[0] ?? "")).toMatchObject({ method: "eth_subscribe", params: ["newHeads"] })
      expect(newHeads.latest()).toBeUndefined()
      server.announce(hashOf(1))
      server.announce(hashOf(0xab).toUpperCase().replace("0X", "0x"))
      yield* until(() => changes() === 2)
      expect(newHeads.latest()).toBe(hashOf(0xab))
      expect(server.open()).toBe(1)
    })
  )

  it.effect("ends with its scope", () =>
    Effect.gen(function* () {
      const server = yield* serve()
      const scope = yield* Scope.make()
      const { newHeads } = yield* Scope.provide(subscribe(server.url), scope)
      yield* newHeads.use
      yield* until(() => server.requests.length === 1)
      server.announce(hashOf(1))
      yield* until(() => newHeads.latest() !== undefined)
      yield* Scope.close(scope, Exit.void)
      expect(newHeads.latest()).toBeUndefined()
      yield* until(() => server.open() === 0)
    })
  )

  it.effect("ends if it is not used for a while, and is opened again when it is used", () =>
    Effect.gen(function* () {
      const server = yield* serve()
      const { newHeads } = yield* subscribe(server.url)
      yield* newHeads.use
      yield* until(() => server.requests.length === 1)
      expect(yield* clockUntil(() => server.open() === 0)).toBeGreaterThanOrEqual(60_000)
      yield* newHeads.use
      yield* until(() => server.requests.length === 2)
    })
  )

  it.effect("is opened again later and later if its socket closes, and sooner after it was right", () =>
    Effect.gen(function* () {
      const server = yield* serve()
      const { newHeads } = yield* subscribe(server.url)
      yield* newHeads.use
      for (const [failures, backoff] of [1_000, 2_000, 4_000].entries()) {
        yield* until(() => server.requests.length === failures + 1)
        server.kill()
        yield* until(() => server.open() === 0)
        const again = clockUntil(() => server.requests.length === failures + 2, newHeads.use)
        expect(yield* again).toBeGreaterThanOrEqual(backoff)
      }
      server.announce(hashOf(1))
      yield* until(() => newHeads.latest() === hashOf(1))
      newHeads.trust()
      server.kill()
      yield* until(() => newHeads.latest() === undefined)
      // The next backoff would be eight seconds.
      for (let second = 0; second < 3; second++) {
        yield* elapse(50)
        yield* TestClock.adjust("1 second")
      }
      yield* until(() => server.requests.length === 5)
    })
  )

  it.effect.each<readonly [string, string | Buffer]>([
    ["no JSON", "<html>"],
    ["bytes", Buffer.from(announcement(hashOf(1)))],
    ["null", "null"],
    ["a list", `[${announcement(hashOf(1))}]`],
    ["another confirmation", confirmed],
    ["an error", JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no" } })],
    ["another subscription", announcement(hashOf(1)).replace('"0x1"', '"0x2"')],
    ["a block without a hash", announcement("")],
    ["a number for a hash", announcement(hashOf(1)).replace(`"${hashOf(1)}"`, "1")]
  ])("ends if the node sends %s", ([, message]) =>
    Effect.gen(function* () {
      const server = yield* serve((socket) => {
        socket.send(confirmed)
        socket.send(announcement(hashOf(7)))
        socket.send(message)
        socket.send(announcement(hashOf(8)))
      })
      const { newHeads } = yield* subscribe(server.url)
      yield* newHeads.use
      yield* until(() => server.requests.length === 1 && server.open() === 0)
      expect(newHeads.latest()).toBeUndefined()
      // It is opened again, but not before a second.
      expect(yield* clockUntil(() => server.requests.length === 2, newHeads.use)).toBeGreaterThanOrEqual(1_000)
    })
  )

  it.effect("ends if the node does not confirm it", () =>
    Effect.gen(function* () {
      const silent = yield* serve(() => {})
      const { newHeads } = yield* subscribe(silent.url)
      yield* newHeads.use
      yield* until(() => silent.requests.length === 1)
      silent.announce(hashOf(1))
      expect(yield* clockUntil(() => silent.open() === 0, newHeads.use)).toBeGreaterThanOrEqual(3_000)
      expect(newHeads.latest()).toBeUndefined()
    })
  )

  it.effect("ends if it is distrusted", () =>
    Effect.gen(function* () {
      const server = yield* serve()
      const { newHeads } = yield* subscribe(server.url)
      yield* newHeads.use
      yield* until(() => server.requests.length === 1)
      server.announce(hashOf(1))
      yield* until(() => newHeads.latest() !== undefined)
      newHeads.distrust("timeout")
      yield* until(() => server.open() === 0)
      expect(newHeads.latest()).toBeUndefined()
    })
  )

  it.effect("is counted as a failed request if the node sends wrong data, but not if the node closes it", () =>
    Effect.gen(function* () {
      const server = yield* serve()
      const { newHeads } = yield* subscribe(server.url)
      const host = `host="${new URL(server.url).host}"`
      const count = (name: string, label: string) =>
        Effect.map(Metrics.text, (text) => {
          const line = text.split("\n").find((one) => one.startsWith(name) && one.includes(host) && one.includes(label))
          return Number(line?.split(" ").at(-1) ?? 0)
        })
      // Another test of this process may have used the same port.
      const counts = Effect.all({
        status: count("geoswap_rpc_errors_total", "status"),
        unreadable: count("geoswap_rpc_errors_total", "unreadable"),
        subscriptions: count("geoswap_rpc_requests_total", "eth_subscribe")
      })
      const before = yield* counts
      yield* newHeads.use
      yield* until(() => server.requests.length === 1)
      server.announce(hashOf(1))
      yield* until(() => newHeads.latest() !== undefined)
      server.kill()
      yield* clockUntil(() => server.requests.length === 2, newHeads.use)
      expect(yield* counts).toEqual({ ...before, subscriptions: before.subscriptions + 2 })
      server.announce(hashOf(1))
      yield* until(() => newHeads.latest() !== undefined)
      server.send("<html>")
      yield* until(() => server.open() === 0)
      expect(yield* counts).toEqual({
        status: before.status,
        unreadable: before.unreadable + 1,
        subscriptions: before.subscriptions + 2
      })
    })
  )

  it.effect("does not log its URL, only the host", () =>
    Effect.gen(function* () {
      const server = yield* serve((socket) => socket.close(4000, "s3cr3t"))
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(JSON.stringify(message)))
      const { newHeads } = yield* subscribe(`${server.url}/v2/s3cr3t?key=s3cr3t`)
      yield* Effect.provideService(newHeads.use, Logger.CurrentLoggers, new Set([logger]))
      yield* until(() => lines.length > 0)
      expect(lines.join()).toContain(new URL(server.url).host)
      expect(lines.join()).not.toContain("s3cr3t")
    })
  )
})
