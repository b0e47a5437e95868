import { describe, expect, it } from "@effect/vitest"
import { Metrics, RateLimits, Refusal, type Store, type SwapRecord, SwapSignals } from "@geoswap/service"
import { Status, StoreFixture } from "@geoswap/service/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { apiKey, serveCanned } from "./http/cannedServer.js"
import { exchange, requestText } from "./http/rawHttp.js"

const { makeStatuses } = Status
const { order } = StoreFixture

const bucket = { perSecond: 0.001, burst: 10 }
const pathOf = (id: string) => `/swap/status/${id}`
const requestOf = (id: string, headers: Readonly<Record<string, string>> = {}) =>
  requestText("GET", pathOf(id), { "x-api-key": apiKey, "x-request-id": "the-request", ...headers })

/** Waits for a condition, for about a minute at most. */
const until = async (check: () => boolean): Promise<void> => {
  for (let waited = 0; !check() && waited < 60_000; waited += 10) await sleep(10)
  expect(check()).toBe(true)
}

/** The real status call over swaps in memory. `beforeRead` runs before every read. */
const makeService = Effect.fnUntraced(function* (
  limits: { readonly heldPerAccount?: number; readonly burst?: number } = {}
) {
  const signals = yield* SwapSignals.make
  const swaps = new Map<string, SwapRecord.SwapRecord>()
  const control = { reads: 0, beforeRead: undefined as ((read: number) => void) | undefined }
  const put = (id: string, state: SwapRecord.State, accountId = "acc_1") =>
    swaps.set(id, { ...order(1), id, accountId, state, version: 1, updatedAt: 2_000 } as SwapRecord.SwapRecord)
  const store = {
    swap: (id: string) =>
      Effect.sync(() => {
        control.reads++
        control.beforeRead?.(control.reads)
        return Option.fromUndefinedOr(swaps.get(id))
      })
  } as unknown as Store.Store
  const { heldPerAccount = 100, burst = bucket.burst } = limits
  const policy = { ...bucket, burst }
  const rates = RateLimits.make({
    quote: policy,
    indicative: policy,
    delegation: policy,
    build: policy,
    submit: policy,
    changeDelegation: policy,
    status: policy,
    chains: policy,
    heldPerAccount
  })
  const waiting = () => Effect.runSync(signals.waiting)
  return {
    signals,
    control,
    put,
    waiting,
    service: { statuses: yield* makeStatuses(signals, store) },
    app: {
      takeLimit: rates.take,
      holdStatus: rates.hold,
      takeNow: rates.takeNow,
      holds: rates.holds,
      recall: (key: string) => (key === apiKey ? { accountId: "acc_1", accountName: "one", keyId: "key_1" } : undefined)
    }
  }
})

const send = (url: string, id: string, headers?: Readonly<Record<string, string>>) =>
  Effect.promise(() => exchange(url, [requestOf(id, headers)]))

describe("a status request that waits", () => {
  it.live("is answered when its swap finishes, with the swap's new state, and is logged once", () =>
    Effect.gen(function* () {
      const { app, put, service, signals, waiting } = yield* makeService()
      const { logs, url } = yield* serveCanned({}, service, app)
      put("1", "accepted")
      const answers = [1, 2, 3].map(() => exchange(url, [requestOf("1")]))
      yield* Effect.promise(() => until(() => waiting() === 3))
      expect(logs).toEqual([])
      put("1", "settled")
      yield* signals.publish("1")
      for (const answer of yield* Effect.promise(() => Promise.all(answers))) {
        expect(answer).toMatchObject({ status: 200, headers: { "x-request-id": "the-request" } })
        expect(answer?.text).toContain('"status":"settled"')
      }
      expect(waiting()).toBe(0)
      expect(logs).toHaveLength(3)
      for (const line of logs) expect(line).toMatch(/^Debug [^]*status: 200/)
    })
  )

  it.live("does not miss a swap that finishes between the first read and the subscription", () =>
    Effect.gen(function* () {
      const { app, control, put, service, waiting } = yield* makeService()
      const { url } = yield* serveCanned({}, service, app)
      put("1", "accepted")
      control.beforeRead = (read) => void (read === 2 && put("1", "settled"))
      expect((yield* send(url, "1"))?.text).toContain('"status":"settled"')
      expect([control.reads, waiting()]).toEqual([2, 0])
    })
  )

  it.live("does not miss a swap that finishes during the second read", () =>
    Effect.gen(function* () {
      const { app, control, put, service, signals, waiting } = yield* makeService()
      const { url } = yield* serveCanned({}, service, app)
      put("1", "accepted")
      const pending = signals
      control.beforeRead = (read) => {
        if (read === 2) Effect.runSync(pending.publish("1"))
        if (read === 3) put("1", "settled")
      }
      expect((yield* send(url, "1"))?.text).toContain('"status":"settled"')
      expect([control.reads, waiting()]).toEqual([3, 0])
    })
  )

  it.live("leaves when its client disconnects, and is logged as closed by the client", () =>
    Effect.gen(function* () {
      const { app, put, service, waiting } = yield* makeService({ heldPerAccount: 1 })
      const { logs, url } = yield* serveCanned({}, service, app)
      put("1", "accepted")
      put("2", "settled")
      const socket = connect(Number(new URL(url).port), "127.0.0.1")
      socket.write(requestOf("1"))
      yield* Effect.promise(() => until(() => waiting() === 1))
      // One request may be held, and it is: even a finished swap's status is refused.
      const refused = yield* send(url, "2")
      expect([refused?.status, refused?.headers["ratelimit-policy"]]).toEqual([
        429,
        '"held";q=1;qu="concurrent-requests"'
      ])
      socket.destroy()
      yield* Effect.promise(() => until(() => waiting() === 0))
      expect(logs.filter((line) => /^Debug [^]*status: 499/.test(line))).toHaveLength(1)
      expect(yield* send(url, "2")).toMatchObject({ status: 200 })
    })
  )

  it.live("is answered with the current state when the server stops", () =>
    Effect.gen(function* () {
      const { app, put, service, signals, waiting } = yield* makeService()
      const scope = yield* Scope.make()
      const { url } = yield* Scope.provide(serveCanned({ onDrain: signals.drain }, service, app), scope)
      put("1", "accepted")
      const answers = [1, 2, 3].map(() => exchange(url, [requestOf("1")]))
      yield* Effect.promise(() => until(() => waiting() === 3))
      yield* Scope.close(scope, Exit.void)
      for (const answer of yield* Effect.promise(() => Promise.all(answers))) {
        expect(answer).toMatchObject({ status: 200, headers: { connection: "close" } })
        expect(answer?.text).toContain('"status":"pending"')
      }
      expect(waiting()).toBe(0)
    })
  )

  it.live("is answered with a retryable error if nothing wakes it while the server stops", () =>
    Effect.gen(function* () {
      const { app, put, service, waiting } = yield* makeService()
      const scope = yield* Scope.make()
      const { url } = yield* Scope.provide(serveCanned({ drainMillis: 200 }, service, app), scope)
      put("1", "accepted")
      const answer = exchange(url, [requestOf("1")])
      yield* Effect.promise(() => until(() => waiting() === 1))
      yield* Scope.close(scope, Exit.void)
      expect(yield* Effect.promise(() => answer)).toMatchObject({ status: 503, headers: { "retry-after": "1" } })
      expect(waiting()).toBe(0)
    })
  )

  it.live("has a fiber and a span if a tracer is installed", () =>
    Effect.gen(function* () {
      const { app, put, service, signals, waiting } = yield* makeService()
      const names: Array<string> = []
      const tracer = Tracer.make({
        span: (options) => {
          names.push(options.name)
          return new Tracer.NativeSpan(options)
        }
      })
      const { url } = yield* Effect.provideService(serveCanned({}, service, app, "Info"), Tracer.Tracer, tracer)
      put("1", "accepted")
      const answer = exchange(url, [requestOf("1")])
      yield* Effect.promise(() => until(() => waiting() === 1))
      put("1", "settled")
      yield* signals.publish("1")
      expect((yield* Effect.promise(() => answer))?.text).toContain('"status":"settled"')
      yield* send(url, "1")
      expect(names.filter((name) => name === "GET /swap/status/:swapId")).toHaveLength(2)
    })
  )
})

/** The parts of a response that do not differ between two requests. */
const partsOf = (answer: Awaited<ReturnType<typeof exchange>>) => {
  const { date: _, ...headers } = answer?.headers ?? {}
  return { status: answer?.status, headers: Object.entries(headers), text: answer?.text }
}

describe("the status of a finished swap in memory", () => {
  const served = Effect.fnUntraced(function* (isDirect: boolean, limits: Parameters<typeof makeService>[0] = {}) {
    const made = yield* makeService(limits)
    const registry = new Map()
    const counted = { authenticated: 0 }
    const app = {
      ...made.app,
      ...(!isDirect && { recall: undefined }),
      authenticate: (key: string | undefined) =>
        Effect.suspend(() => {
          counted.authenticated++
          const caller = made.app.recall(key ?? "")
          return caller === undefined ? Effect.fail(Refusal.refuse("UNAUTHORIZED", "No.")) : Effect.succeed(caller)
        })
    }
    const { url } = yield* Effect.provideService(
      serveCanned({}, made.service, { ...app, origins: ["https://app.test"] }, "Info"),
      Metric.MetricRegistry,
      registry
    )
    const metrics = Effect.provideContext(Metrics.text, Context.make(Metric.MetricRegistry, registry))
    return { ...made, counted, url, metrics }
  })

  it.live("is answered exactly as by a fiber: the same headers in the same order, the same body, the same counts", () =>
    Effect.gen(function* () {
      const [direct, usual] = [yield* served(true), yield* served(false)]
      for (const { put, url } of [direct, usual]) {
        put("1", "settled")
        put("2", "refunded")
        yield* send(url, "1")
        yield* send(url, "2")
      }
      for (const headers of [{}, { origin: "https://app.test" }, { origin: "https://other.test" }]) {
        for (const id of ["1", "2"]) {
          const [one, other] = [yield* send(direct.url, id, headers), yield* send(usual.url, id, headers)]
          expect(partsOf(one)).toEqual(partsOf(other))
          expect(one?.status).toBe(200)
        }
      }
      const countsOf = (text: string) =>
        text.split("\n").filter((line) => /^geoswap_(http_requests|status_held\S*_count)/.test(line))
      expect(countsOf(yield* direct.metrics)).toEqual(countsOf(yield* usual.metrics))
      const line = 'geoswap_http_requests_total{route="/swap/status/:swapId",method="GET",code="200"} 8'
      expect(countsOf(yield* direct.metrics)).toContain(line)
      // Only the first requests, which read the store, needed a fiber.
      expect([direct.counted.authenticated, usual.counted.authenticated]).toEqual([2, 8])
    })
  )

  it.live("is refused as by a fiber: without a key, with a wrong key, for another account, and over the limit", () =>
    Effect.gen(function* () {
      const { put, url } = yield* served(true, { burst: 3 })
      put("1", "settled")
      put("2", "settled", "acc_2")
      expect(yield* send(url, "1")).toMatchObject({ status: 200 })
      const none = requestText("GET", pathOf("1"))
      expect(yield* Effect.promise(() => exchange(url, [none]))).toMatchObject({ status: 401 })
      expect(yield* send(url, "1", { "x-api-key": "another" })).toMatchObject({ status: 401 })
      expect(yield* send(url, "2")).toMatchObject({ status: 404 })
      expect(yield* send(url, "1")).toMatchObject({ status: 200 })
      const refused = yield* send(url, "1")
      expect(refused).toMatchObject({ status: 429 })
      expect((JSON.parse(refused?.text ?? "{}") as { readonly code: Refusal.Code }).code).toBe("RATE_LIMITED")
    })
  )
})
