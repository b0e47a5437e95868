import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { ChainUnavailable } from "../../src/chains/ChainError.js"
import type { Chain } from "../../src/chains/Chains.js"
import * as Requests from "../../src/http/countRequests.js"
import * as HttpApp from "../../src/http/HttpApp.js"
import { countFinishedSwap } from "../../src/metrics/countFinishedSwap.js"
import * as Rpc from "../../src/metrics/countRpc.js"
import * as Metrics from "../../src/monitoring/Metrics.js"
import type { Store } from "../../src/store/Store.js"
import { StoreUnavailable } from "../../src/store/StoreError.js"
import { plainChain } from "../../src/testing/plainChain.js"
import { apiKey, request, statusesOf, webApp } from "../http/webApp.js"

const token = "0xAbCd000000000000000000000000000000000001"
const relayer = "0x00000000000000000000000000000000000000ee"
const vault = "0x00000000000000000000000000000000000000ff"
const native = "0x0000000000000000000000000000000000000000"

/** Each test has its own registry. */
const alone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => Effect.provideService(effect, Metric.MetricRegistry, new Map()))

/** The series of a metric, by their labels. */
const seriesOf = (text: string, name: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, labels = "", value] = new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`).exec(line) ?? []
      return value === undefined ? [] : [[labels.replaceAll('"', ""), Number(value)]]
    })
  )

const unavailable = new ChainUnavailable({ chainId: 1, message: "The node is gone.", timeout: false })

/** A database and a chain that a test can take down. */
const scene = () => {
  const state = { store: true, chain: true, isSlow: false, asked: 0, gas: 1_500_000_000_000_000_000n }
  const balances = new Map([
    [`${native} ${vault}`, 3_000_000_000_000_000_000n],
    [`${token} ${vault}`, 12_345_678n]
  ])
  const ask = <A>(answer: () => A): Effect.Effect<A, ChainUnavailable> =>
    Effect.suspend(() => {
      state.asked++
      if (state.isSlow) return Effect.never
      return state.chain ? Effect.sync(answer) : Effect.fail(unavailable)
    })
  const base = plainChain({
    family: "evm",
    id: 1,
    name: "One",
    tokens: [{ symbol: "USDC", address: token, decimals: 6 }],
    costOf: () => Effect.succeed(0n),
    balanceOf: (asset, owner) => ask(() => (owner === relayer ? state.gas : (balances.get(`${asset} ${owner}`) ?? 0n)))
  })
  if (base.family !== "evm") throw new TypeError("It is an EVM chain.")
  const chain: Chain = {
    ...base,
    relayer,
    relayers: [relayer],
    vault,
    vaults: [vault],
    relayerNonce: () => ask(() => 5),
    inventoryOf: (asset) => ask(() => (asset === token ? 10_000_000n : 0n))
  }
  const read = <A>(value: A): Effect.Effect<A, StoreUnavailable> =>
    Effect.suspend(() =>
      state.store ? Effect.succeed(value) : Effect.fail(new StoreUnavailable({ message: "The database is gone." }))
    )
  const store: Pick<Store, "underway" | "reserved" | "nextNonce"> & { readonly lanes: Pick<Store["lanes"], "all"> } = {
    lanes: {
      all: read([
        { chainId: 1, relayer, pending: 1, unfinished: 1, pendingCost: 400_000_000_000_000_000n },
        { chainId: 2, relayer, pending: 1, unfinished: 1, pendingCost: 1n }
      ])
    },
    underway: read([{ state: "origin_sent", count: 2, oldestCreatedAt: -30_000, oldestUpdatedAt: 0 }]),
    reserved: read([{ chainId: 1, vault: vault.toLowerCase(), token: token.toLowerCase(), amount: 2_500_000n }]),
    nextNonce: () => read(7)
  }
  const live = { waiting: 0, working: 0 }
  const watch = Metrics.watch({
    sampleMillis: 120_000,
    directory: { chains: new Map([[1, chain]]), natives: new Map([[1, "ETH"]]) },
    store: store as Store,
    signals: { waiting: Effect.sync(() => live.waiting) },
    executor: { working: Effect.sync(() => live.working) }
  })
  return { live, state, watch }
}

describe("sampled gauges", () => {
  it.effect("are balances in tokens, and swaps by state", () =>
    alone(
      Effect.scoped(
        Effect.gen(function* () {
          yield* scene().watch
          yield* TestClock.adjust(1)
          const text = yield* Metrics.text
          expect(seriesOf(text, "geoswap_relayer_balance")).toEqual({ [`chain=1,relayer=${relayer}`]: 1.5 })
          expect(seriesOf(text, "geoswap_relayer_pending_cost")).toEqual({ [`chain=1,relayer=${relayer}`]: 0.4 })
          expect(seriesOf(text, "geoswap_relayer_available")).toEqual({ [`chain=1,relayer=${relayer}`]: 1.1 })
          expect(seriesOf(text, "geoswap_inventory")).toEqual({
            "chain=1,token=ETH": 3,
            "chain=1,token=USDC": 12.345678
          })
          expect(seriesOf(text, "geoswap_inventory_available")).toEqual({
            "chain=1,token=ETH": 0,
            "chain=1,token=USDC": 10
          })
          expect(seriesOf(text, "geoswap_inventory_reserved")).toEqual({
            "chain=1,token=ETH": 0,
            "chain=1,token=USDC": 2.5
          })
          expect(seriesOf(text, "geoswap_relayer_nonce_lag")).toEqual({ [`chain=1,relayer=${relayer}`]: 2 })
          expect(seriesOf(text, "geoswap_swaps")).toMatchObject({ "state=origin_sent": 2, "state=accepted": 0 })
          expect(Object.keys(seriesOf(text, "geoswap_swaps"))).not.toContain("state=settled")
          expect(seriesOf(text, "geoswap_swap_oldest_age_seconds")).toMatchObject({
            "state=origin_sent": 30,
            "state=accepted": 0
          })
          expect(seriesOf(text, "geoswap_database_up")).toEqual({ "": 1 })
          expect(seriesOf(text, "geoswap_indicative_quotes_total")).toEqual({ "cache=hit": 0, "cache=miss": 0 })
        })
      )
    )
  )

  it.effect("of a chain are read every two minutes, and never by a scrape", () =>
    alone(
      Effect.scoped(
        Effect.gen(function* () {
          const { state, watch } = scene()
          yield* watch
          yield* TestClock.adjust(1)
          const once = state.asked
          expect(once).toBeGreaterThan(0)
          for (let look = 0; look < 20; look++) yield* Metrics.text
          yield* TestClock.adjust(119_000)
          expect(state.asked).toBe(once)
          state.gas = 0n
          yield* TestClock.adjust(1_000)
          expect(state.asked).toBe(2 * once)
          expect(Object.values(seriesOf(yield* Metrics.text, "geoswap_relayer_balance"))).toEqual([0])
        })
      )
    )
  )

  it.effect.each(["gone", "silent"])("age if a node is %s, and are removed after five minutes", (how) =>
    alone(
      Effect.scoped(
        Effect.gen(function* () {
          const { state, watch } = scene()
          yield* watch
          yield* TestClock.adjust(1)
          if (how === "gone") state.chain = false
          else state.isSlow = true
          yield* TestClock.adjust(179_999)
          const kept = yield* Metrics.text
          expect(Object.values(seriesOf(kept, "geoswap_relayer_balance"))).toEqual([1.5])
          expect(seriesOf(kept, "geoswap_sample_age_seconds")).toMatchObject({
            "what=chain:1": 180,
            "what=nonce:1": 180
          })
          expect(seriesOf(kept, "geoswap_sample_age_seconds")["what=store"]).toBeLessThan(15)
          yield* TestClock.adjust(150_000)
          const dropped = yield* Metrics.text
          for (const name of ["geoswap_relayer_balance", "geoswap_inventory", "geoswap_relayer_nonce_lag"]) {
            expect(seriesOf(dropped, name)).toEqual({})
          }
          expect(Object.keys(seriesOf(dropped, "geoswap_inventory_reserved"))).toHaveLength(2)
          state.chain = true
          state.isSlow = false
          yield* TestClock.adjust(30_000)
          expect(Object.values(seriesOf(yield* Metrics.text, "geoswap_relayer_balance"))).toEqual([1.5])
        })
      )
    )
  )

  it.effect("report at once that the database does not answer", () =>
    alone(
      Effect.scoped(
        Effect.gen(function* () {
          const { state, watch } = scene()
          yield* watch
          yield* TestClock.adjust(1)
          state.store = false
          yield* TestClock.adjust(15_000)
          expect(seriesOf(yield* Metrics.text, "geoswap_database_up")).toEqual({ "": 0 })
          yield* TestClock.adjust(105_000)
          const withoutDatabase = yield* Metrics.text
          expect(Object.values(seriesOf(withoutDatabase, "geoswap_relayer_balance"))).toEqual([1.5])
          expect(seriesOf(withoutDatabase, "geoswap_relayer_pending_cost")).toEqual({})
          yield* TestClock.adjust(60_000)
          const text = yield* Metrics.text
          expect(seriesOf(text, "geoswap_swaps")).toEqual({})
          expect(seriesOf(text, "geoswap_database_up")).toEqual({ "": 0 })
          expect(Object.keys(seriesOf(text, "geoswap_inventory"))).toHaveLength(2)
          state.store = true
          yield* TestClock.adjust(15_000)
          expect(seriesOf(yield* Metrics.text, "geoswap_database_up")).toEqual({ "": 1 })
        })
      )
    )
  )

  it.effect("stop with the scope", () =>
    alone(
      Effect.gen(function* () {
        const { state, watch } = scene()
        yield* Effect.scoped(Effect.andThen(watch, TestClock.adjust(1)))
        const { asked } = state
        yield* TestClock.adjust(60_000)
        expect(state.asked).toBe(asked)
      })
    )
  )

  it.effect("do not include gauges that are read at every scrape", () =>
    alone(
      Effect.scoped(
        Effect.gen(function* () {
          const { live, watch } = scene()
          yield* watch
          live.waiting = 3
          live.working = 4
          const text = yield* Metrics.text
          expect(seriesOf(text, "geoswap_held_requests")).toEqual({ "": 3 })
          expect(seriesOf(text, "geoswap_executor_working")).toEqual({ "": 4 })
          live.waiting = 0
          expect(seriesOf(yield* Metrics.text, "geoswap_held_requests")).toEqual({ "": 0 })
        })
      )
    )
  )
})

describe("HTTP request metrics", () => {
  /** Sends requests to an application with its own metric registry. */
  const served = (service: Parameters<typeof webApp>[1] = {}) => {
    const { context, options } = webApp({}, service)
    const own = Context.add(context, Metric.MetricRegistry, new Map())
    const handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest | Scope.Scope>(own)(HttpApp.make(options))
    const send = (path: string, init: RequestInit = {}) =>
      Effect.promise(() => handler(new Request(`http://service.test${path}`, init)))
    return { send, text: Effect.provideContext(Metrics.text, own) }
  }
  const headers = { "x-api-key": apiKey, "content-type": "application/json" }

  it.effect("are counted by route, method and status, and by nothing that callers choose", () =>
    Effect.gen(function* () {
      const { send, text } = served()
      yield* send("/swap/chains", { headers })
      yield* send("/swap/chains", { headers })
      yield* send("/swap/chains")
      yield* send("/swap/chains", { method: "HEAD", headers })
      yield* send("/swap/quote", { method: "POST", headers, body: JSON.stringify(request) })
      yield* send("/swap/quote", { method: "POST", headers, body: "{}" })
      yield* send("/swap/quote", { method: "PROPFIND", headers })
      yield* send("/canaryOfThePath?canaryOfTheQuery", { headers })
      const found = yield* text
      expect(seriesOf(found, "geoswap_http_requests_total")).toEqual({
        "route=/swap/chains,method=GET,code=200": 2,
        "route=/swap/chains,method=GET,code=401": 1,
        "route=/swap/chains,method=HEAD,code=200": 1,
        "route=/swap/quote,method=POST,code=200": 1,
        "route=/swap/quote,method=POST,code=400": 1,
        "route=/swap/quote,method=other,code=405": 1,
        "route=unknown,method=GET,code=404": 1
      })
      expect(seriesOf(found, "geoswap_http_request_duration_seconds_count")).toEqual({
        "route=/swap/chains": 4,
        "route=/swap/quote": 3,
        "route=unknown": 1
      })
      expect(found).not.toContain("canary")
    })
  )

  it.effect("count every method and status separately", () =>
    alone(
      Effect.withFiber((fiber) => {
        const { count } = Requests.make([{ path: "/path", methods: new Map() }], ["/status"])
        const methods = ["GET", "HEAD", "POST", "OPTIONS", "PUT"]
        for (let code = 400; code < 410; code++) for (const method of methods) count(fiber, "/path", method, code, 0n)
        return Effect.map(Metrics.text, (text) => {
          expect(Object.values(seriesOf(text, "geoswap_http_requests_total"))).toEqual(
            Array.from({ length: 50 }, () => 1)
          )
        })
      })
    )
  )

  it.effect(
    "for files are counted under one name, and those for a status of the page's API with those that are held",
    () =>
      alone(
        Effect.withFiber((fiber) => {
          const methods = new Map([["GET", 1]])
          const files = ["/a.js", "/b.css"].map((path) => ({ path, name: "/*", methods }))
          const { initializeCounters, count } = Requests.make(
            [...files, { path: "/page/status/:id", methods }],
            ["/status/:id"]
          )
          initializeCounters(fiber.context)
          for (const route of ["/*", "/*", "/page/status/:id"]) count(fiber, route, "GET", 200, 0n)
          return Effect.map(Metrics.text, (text) => {
            expect(seriesOf(text, "geoswap_http_requests_total")).toMatchObject({
              "route=/*,method=GET,code=200": 2,
              "route=/*,method=GET,code=500": 0,
              "route=/page/status/:id,method=GET,code=200": 1
            })
            expect(seriesOf(text, "geoswap_http_request_duration_seconds_count")).toEqual({ "route=/*": 2 })
            expect(seriesOf(text, "geoswap_status_held_seconds_count")).toEqual({ "": 1 })
          })
        })
      )
  )

  it.effect("measure status requests separately", () =>
    Effect.gen(function* () {
      const { send, text } = served({
        statuses: statusesOf(() => Effect.as(Effect.sleep(30), { swapId: "a", status: "settled" }))
      })
      yield* send("/swap/status/9f1c6c1e", { headers })
      const found = yield* text
      expect(found).toContain('geoswap_http_requests_total{route="/swap/status/:swapId",method="GET",code="200"} 1')
      expect(seriesOf(found, "geoswap_http_request_duration_seconds_count")).toEqual({})
      expect(seriesOf(found, "geoswap_status_held_seconds_count")).toEqual({ "": 1 })
      const seconds = seriesOf(found, "geoswap_status_held_seconds_sum")[""]
      expect(seconds).toBeGreaterThan(0.025)
      expect(seconds).toBeLessThan(10)
    })
  )

  it.effect("count a request with a defect once", () =>
    Effect.gen(function* () {
      const { send, text } = served({ statuses: statusesOf(() => Effect.die("broken")) })
      yield* send("/swap/status/9f1c6c1e", { headers })
      expect(seriesOf(yield* text, "geoswap_http_requests_total")).toEqual({
        "route=/swap/status/:swapId,method=GET,code=500": 1
      })
    })
  )
})

describe("RPC metrics", () => {
  it.effect("are counted by method, and failures by reason from zero", () =>
    alone(
      Effect.gen(function* () {
        const count = Rpc.make(1, "node.test")
        yield* count("eth_call", Effect.succeed(1), () => "status")
        yield* Effect.flip(count("eth_call", Effect.fail("slow"), () => "timeout"))
        yield* count("eth_chainId", Effect.succeed(1), () => "status")
        const text = yield* Metrics.text
        expect(seriesOf(text, "geoswap_rpc_requests_total")).toEqual({
          "chain=1,host=node.test,method=eth_call": 2,
          "chain=1,host=node.test,method=eth_chainId": 1
        })
        expect(seriesOf(text, "geoswap_rpc_errors_total")).toEqual({
          "chain=1,host=node.test,reason=timeout": 1,
          "chain=1,host=node.test,reason=refused": 0,
          "chain=1,host=node.test,reason=status": 0,
          "chain=1,host=node.test,reason=unreadable": 0,
          "chain=1,host=node.test,reason=unreachable": 0,
          "chain=1,host=node.test,reason=redirect": 0,
          "chain=1,host=node.test,reason=limited": 0
        })
      })
    )
  )
})

describe("finished swaps", () => {
  it.effect("are counted by state and chains, with the time since they were accepted", () =>
    alone(
      Effect.gen(function* () {
        yield* TestClock.adjust(50_000)
        yield* countFinishedSwap({ createdAt: 20_000, originChain: 1, destinationChain: 2 }, "settled")
        yield* countFinishedSwap({ createdAt: 49_000, originChain: 1, destinationChain: 2 }, "settled")
        yield* countFinishedSwap({ createdAt: 0, originChain: 2, destinationChain: 1 }, "refunded")
        const text = yield* Metrics.text
        expect(seriesOf(text, "geoswap_swaps_ended_total")).toEqual({
          "state=settled,origin=1,destination=2": 2,
          "state=refunded,origin=2,destination=1": 1
        })
        expect(seriesOf(text, "geoswap_swap_duration_seconds_sum")).toEqual({
          "state=settled": 31,
          "state=refunded": 50
        })
      })
    )
  )
})

describe("a registry", () => {
  it.effect("is separate for each service", () =>
    Effect.gen(function* () {
      const counter = Metric.counter("canary_total")
      const count = (times: number) =>
        Effect.andThen(Metric.update(counter, times), Metrics.text).pipe(
          Effect.provide(Layer.fresh(Metrics.layerRegistry))
        )
      const [one, other] = yield* Effect.all([count(1), count(2)], { concurrency: 2 })
      expect([one, other].map((text) => seriesOf(text, "canary_total")[""])).toEqual([1, 2])
      const fiber = yield* Effect.forkChild(Metrics.text)
      expect(yield* Fiber.join(fiber)).not.toContain("canary_total")
    })
  )
})
