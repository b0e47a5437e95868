import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect, vi } from "vitest"
import type { Environment } from "../../../src/secrets/Secrets.js"
import * as Telemetry from "../../../src/telemetry/Telemetry.js"
import { run } from "../../stack/program.js"
import { makeWorkspace } from "../cli/fixture.js"

vi.setConfig({ testTimeout: 240_000 })

describe("OpenTelemetry variables", () => {
  it.effect.each<Environment>([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: "  " },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_SDK_DISABLED: "true" },
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
      OTEL_TRACES_EXPORTER: "none",
      OTEL_LOGS_EXPORTER: "none"
    },
    // Telemetry is disabled, so other variables do not matter.
    { OTEL_TRACES_SAMPLER: "nonsense" }
  ])("send nothing without a collector: %j", (environment) =>
    Effect.gen(function* () {
      expect(yield* Telemetry.read(environment)).toBeUndefined()
    })
  )

  it.effect("set the destination, the name and the headers of both signals, and headers are redacted", () =>
    Effect.gen(function* () {
      const settings = yield* Telemetry.read({
        OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/otlp/",
        OTEL_EXPORTER_OTLP_HEADERS: "X-Key = a%2Cb%3D%20c , authorization=Basic%20eDp5",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=prod,service.name=other,team=a%20b",
        OTEL_SERVICE_NAME: "swaps"
      })
      expect(settings).toMatchObject({
        traces: { url: "https://collector.example/otlp/v1/traces", timeoutMillis: 10_000 },
        logs: { url: "https://collector.example/otlp/v1/logs", timeoutMillis: 10_000 },
        resource: { "service.name": "swaps", "deployment.environment": "prod", team: "a b" },
        share: 1
      })
      const headers = Object.entries(settings?.traces?.headers ?? {})
      expect(headers.map(([name, value]) => [name, Redacted.value(value)])).toEqual([
        ["x-key", "a,b= c"],
        ["authorization", "Basic eDp5"]
      ])
      expect(JSON.stringify(settings)).not.toContain("eDp5")
    })
  )

  it.effect("can send each signal to another destination, or only one of them", () =>
    Effect.gen(function* () {
      expect(
        yield* Telemetry.read({
          OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://traces:4318/here?x=1",
          OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "500",
          OTEL_EXPORTER_OTLP_HEADERS: "a=1",
          OTEL_EXPORTER_OTLP_TRACES_HEADERS: "b=2",
          OTEL_RESOURCE_ATTRIBUTES: "service.name=other",
          OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
          OTEL_TRACES_SAMPLER_ARG: "0.25"
        })
      ).toEqual({
        traces: { url: "http://traces:4318/here?x=1", timeoutMillis: 500, headers: { b: Redacted.make("2") } },
        resource: { "service.name": "other" },
        share: 0.25
      })
      const both = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_TRACES_EXPORTER: "none" }
      expect(Object.keys((yield* Telemetry.read(both)) ?? {})).toEqual(["logs", "resource", "share"])
      const off = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_TRACES_SAMPLER: "parentbased_always_off" }
      expect(yield* Telemetry.read(off)).toMatchObject({ share: 0 })
    })
  )

  it.effect.each<[string, string]>([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "hidden"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://hidden"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:hidden@collector"],
    ["OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "hidden"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "hidden"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "=hidden"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "key=hidden%"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a key=hidden"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "key=hidden%0D%0Ax: y"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "0"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "hidden"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_RESOURCE_ATTRIBUTES", "hidden"],
    ["OTEL_LOGS_EXPORTER", "hidden"],
    ["OTEL_TRACES_SAMPLER", "hidden"]
  ])("fail naming %s if it is %s, without printing the value", ([name, value]) =>
    Effect.gen(function* () {
      const good = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }
      const { problems } = yield* Effect.flip(Telemetry.read({ ...good, [name]: value }))
      expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: .+[.…]$`))])
      expect(problems.join()).not.toContain("hidden")
    })
  )

  it.effect("report all problems at once", () =>
    Effect.gen(function* () {
      const { problems } = yield* Effect.flip(
        Telemetry.read({
          OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "no",
          OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "no",
          OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
          OTEL_TRACES_SAMPLER_ARG: "2"
        })
      )
      expect(problems.map((problem) => problem.split(":")[0])).toEqual([
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
        "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
        "OTEL_TRACES_SAMPLER_ARG"
      ])
    })
  )

  it.live("fail the start of a server if they are invalid", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const environment = { ...workspace.environment, OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }
      const { code, stderr, stdout } = yield* run({ ...workspace, environment }, "serve", "--port", "0")
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toBe(
        "The OpenTelemetry variables are invalid:\n" +
          "  - OTEL_EXPORTER_OTLP_ENDPOINT: expected a collector URL, such as http://host:4318 or https://host.\n"
      )
    })
  )
})
