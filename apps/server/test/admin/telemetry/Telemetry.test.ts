import { describe, it } from "@effect/vitest"
import { Refusal } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import * as Tracer from "effect/Tracer"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, vi } from "vitest"
import type { Environment } from "../../../src/secrets/Secrets.js"
import * as Telemetry from "../../../src/telemetry/Telemetry.js"
import { until } from "../../stack/program.js"
import { collect, type Collector } from "./collector.js"

vi.setConfig({ testTimeout: 240_000 })

/** Runs an effect with telemetry and collects the other log. Everything is sent when it returns. */
const observed = <A>(environment: Environment, program: (log: ReadonlyArray<string>) => Effect.Effect<A>) =>
  Effect.gen(function* () {
    const settings = yield* Telemetry.read(environment)
    if (settings === undefined) return yield* Effect.die("telemetry is disabled")
    const log: Array<string> = []
    const elsewhere = Logger.make(({ message }) => void log.push(String(message)))
    const value = yield* Effect.suspend(() => program(log)).pipe(
      Effect.provide(Layer.provideMerge(Telemetry.layer(settings, "1.2.3"), Logger.layer([elsewhere])))
    )
    return { log, value }
  })

const to = ({ url }: Collector, more: Environment = {}): Environment => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more })

const request = (name: string, attributes: Record<string, unknown> = {}) =>
  Effect.withSpan(Effect.void, name, { kind: "server", attributes })

const external = (sampled: boolean) =>
  Tracer.externalSpan({ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", sampled })

const live = (title: string, body: () => Effect.Effect<void, unknown, Scope.Scope>) => it.live(title, body)

describe("telemetry", () => {
  live("sends spans and logs, keeps other loggers, and flushes at the end", () =>
    Effect.gen(function* () {
      const collector = yield* collect
      const headers = { OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b" }
      const { log } = yield* observed(to(collector, headers), () =>
        Effect.logInfo("hello").pipe(Effect.withSpan("inner"), Effect.withSpan("outer", { kind: "server" }))
      )
      expect(log).toEqual(["hello"])
      const [inner, outer] = collector.spans()
      expect([inner?.name, outer?.name]).toEqual(["inner", "outer"])
      expect(inner).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId })
      const [entry, ...others] = collector.logs()
      expect(others).toEqual([])
      expect(entry).toMatchObject({ message: "hello", traceId: outer?.traceId, spanId: inner?.spanId })
      expect(entry?.resource).toMatchObject({ "service.name": "geoswap-server", "service.version": "1.2.3" })
      expect(entry?.resource).toEqual(inner?.resource)
      expect(collector.arrivals.map(({ headers, path }) => `${path} ${String(headers["x-key"])}`).toSorted()).toEqual([
        "/v1/logs a b",
        "/v1/traces a b"
      ])
    })
  )

  live("logs once that the collector is down and once that it works again", () =>
    Effect.gen(function* () {
      const collector = yield* collect
      yield* collector.down
      const { log } = yield* observed(to(collector), (log) =>
        Effect.gen(function* () {
          const work = (name: string) => Effect.andThen(request(name), Effect.logInfo(name))
          yield* work("lost")
          yield* until(() => log.filter((line) => line.includes("cannot be sent to")).length === 2, "two warnings")
          collector.set("hangUp")
          yield* collector.up
          for (const name of ["lost once more", "lost at last"]) {
            yield* work(name)
            const isRefused = (path: string) =>
              collector.refused.some((one) => one.path === path && one.text.includes(name))
            yield* until(() => isRefused("/v1/traces") && isRefused("/v1/logs"), "both are tried")
          }
          collector.set("well")
          const found = Effect.andThen(request("found"), Effect.logInfo("found"))
          yield* found
          yield* until(() => log.filter((line) => line.includes("again")).length === 2, "it is back")
          yield* found
        })
      )
      const place = `the collector at ${collector.url}`
      const said = log.filter((line) => !/^(lost.*|found)$/.test(line))
      expect(said.toSorted()).toEqual([
        `logs are being sent to ${place} again`,
        `logs cannot be sent to ${place} and are being dropped: it cannot be reached`,
        `traces are being sent to ${place} again`,
        `traces cannot be sent to ${place} and are being dropped: it cannot be reached`
      ])
      expect(collector.spans().map(({ name }) => name)).toEqual(["found", "found"])
      expect(collector.logs().map(({ message }) => message)).toEqual(["found", "found"])
    })
  )

  live("limits warnings about an unstable collector", () =>
    Effect.gen(function* () {
      const collector = yield* collect
      const { log } = yield* observed(to(collector, { OTEL_LOGS_EXPORTER: "none" }), () =>
        Effect.gen(function* () {
          for (const mood of [{ status: 400 }, "well", { status: 400 }, "well"] as const) {
            const { length } = collector.arrivals
            collector.set(mood)
            yield* request("one")
            yield* until(() => collector.arrivals.length > length, "a try")
          }
        })
      )
      expect(log).toEqual([
        expect.stringContaining("it returned HTTP 400"),
        `traces are being sent to the collector at ${collector.url} again`
      ])
    })
  )

  live("retries a batch while the collector restarts", () =>
    Effect.gen(function* () {
      const collector = yield* collect
      collector.set({ status: 503 })
      const { log } = yield* observed(to(collector, { OTEL_LOGS_EXPORTER: "none" }), () =>
        Effect.gen(function* () {
          yield* request("kept")
          yield* until(() => collector.arrivals.length === 1, "the first try")
          collector.set("well")
          yield* until(() => collector.arrivals.length === 2, "the second try")
        })
      )
      const [first, second] = collector.arrivals
      expect(second?.text).toBe(first?.text)
      expect(log).toEqual([])
    })
  )

  live("logs a refusal once without the path of the collector, and follows no redirect", () =>
    Effect.gen(function* () {
      const collector = yield* collect
      collector.set({ status: 307, location: "/elsewhere" })
      const hidden = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/hidden?key=hidden` }
      const { log } = yield* observed(hidden, () =>
        Effect.gen(function* () {
          for (let times = 1; times <= 3; times += 1) {
            yield* request("refused")
            yield* until(() => collector.arrivals.length === times, "a try")
          }
        })
      )
      expect(log).toEqual([
        `traces cannot be sent to the collector at ${collector.url} and are being dropped: it returned HTTP 307`
      ])
      expect(collector.arrivals.map(({ path }) => path)).toEqual(Array(3).fill("/hidden?key=hidden"))
    })
  )

  live("keeps few batches for a collector that never answers, and neither slows down nor delays the shutdown", () =>
    Effect.gen(function* () {
      setFlagsFromString("--expose-gc")
      const collectGarbage = runInNewContext("gc") as () => void
      const heap = () => {
        collectGarbage()
        return process.memoryUsage().heapUsed / 2 ** 20
      }
      const collector = yield* collect
      collector.set("never")
      const [count, size] = [30_000, 4_000]
      const before = heap()
      let [grown, ended] = [0, 0]
      const patient = { OTEL_LOGS_EXPORTER: "none", OTEL_EXPORTER_OTLP_TIMEOUT: "60000" }
      const { log } = yield* observed(to(collector, patient), () =>
        Effect.gen(function* () {
          for (let made = 0; made < count; made += 1) {
            yield* request("slow", { text: `${made}`.padEnd(size, "x") })
            if (made % 100 === 0) yield* Effect.sleep(0)
          }
          yield* Effect.sleep(500)
          grown = heap() - before
          ended = performance.now()
        })
      )
      // All batches would be 120 MiB, and again as JSON. The collector in this process keeps what it receives.
      expect(grown).toBeLessThan(60)
      expect(collector.arrivals).toHaveLength(4)
      // The shutdown waits for two seconds, not for the minute that a response may take.
      expect(performance.now() - ended).toBeLessThan(20_000)
      expect(log).toEqual([
        `traces cannot be sent to the collector at ${collector.url} and are being dropped: it cannot keep up`
      ])
    })
  )

  live("uses the timeout of the variable", () =>
    Effect.gen(function* () {
      const collector = yield* collect
      collector.set("never")
      const { log } = yield* observed(to(collector, { OTEL_EXPORTER_OTLP_TIMEOUT: "200" }), (log) =>
        Effect.andThen(
          request("slow"),
          until(() => log.length > 0, "a warning")
        )
      )
      expect(log[0]).toContain("it did not respond within 200 ms")
    })
  )
})

describe("traces", () => {
  const names = Effect.fnUntraced(function* (environment: Environment, program: Effect.Effect<void>) {
    const collector = yield* collect
    yield* observed(to(collector, environment), () => program)
    return collector.spans().map(({ name }) => name)
  })

  live("start with a request or a swap, not with periodic work", () =>
    Effect.gen(function* () {
      const inner = Effect.withSpan(Effect.void, "inner")
      const program = Effect.gen(function* () {
        yield* Effect.withSpan(inner, "periodic")
        yield* Effect.withSpan(inner, "request", { kind: "server" })
        yield* Effect.withSpan(inner, "swap", { kind: "consumer" })
      })
      expect(yield* names({}, program)).toEqual(["inner", "request", "inner", "swap"])
    })
  )

  live("are sampled as the caller chose, regardless of the share", () =>
    Effect.gen(function* () {
      const under = (name: string, sampled: boolean) =>
        Effect.withSpan(Effect.withSpan(Effect.void, `in ${name}`), name, { kind: "server", parent: external(sampled) })
      const program = Effect.gen(function* () {
        yield* under("sampled", true)
        yield* under("unsampled", false)
        yield* request("root")
      })
      expect(yield* names({}, program)).toEqual(["in sampled", "sampled", "root"])
      const off = { OTEL_TRACES_SAMPLER: "parentbased_always_off" }
      expect(yield* names(off, program)).toEqual(["in sampled", "sampled"])
    })
  )

  live("are sampled by the configured share", () =>
    Effect.gen(function* () {
      const half = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.5" }
      const program = Effect.forEach(Array(400), () => request("one"), { discard: true })
      const { length } = yield* names(half, program)
      expect(length).toBeGreaterThan(120)
      expect(length).toBeLessThan(280)
    })
  )

  live("contain error types, only our own messages, and no data about the caller", () =>
    Effect.gen(function* () {
      const collector = yield* collect
      const failing = (name: string, error: unknown) =>
        Effect.ignore(Effect.withSpan(Effect.fail(error), name, { kind: "server" }))
      const cause = new Error("invalid input syntax: secret-value")
      yield* observed(to(collector), () =>
        Effect.gen(function* () {
          yield* failing("sql", new SqlError({ reason: new UnknownError({ cause, message: "secret-value" }) }))
          yield* failing("defect", new TypeError("secret-value", { cause }))
          yield* failing("ours", Object.assign(Refusal.refuse("NO_ROUTE", "There is no route."), { cause }))
          yield* request("personal", {
            "client.address": "secret-value",
            "user_agent.original": "secret-value",
            "url.full": "http://h/secret-value",
            "url.path": "/secret-value",
            "server.address": "secret-value",
            "http.route": "/swap/quote"
          })
        })
      )
      const [sql, defect, ours, personal] = collector.spans()
      expect(sql?.status).toEqual({ code: 2, message: "effect/sql/SqlError" })
      expect(defect?.status).toEqual({ code: 2, message: "TypeError" })
      expect(ours?.status).toEqual({ code: 2, message: "There is no route." })
      expect(personal?.attributes).toEqual({ "http.route": "/swap/quote" })
      expect(collector.arrivals.map(({ text }) => text).join()).not.toContain("secret-value")
    })
  )
})
