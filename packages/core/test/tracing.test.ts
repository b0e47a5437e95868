import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { Client } from "../src/index.js"
import { Fault, ScriptedTransport } from "../src/testing.js"
import { failing, succeeding, makeFixture } from "./fixture.js"

/** A tracer that records its spans. */
const recorder = () => {
  const spans: Array<Tracer.Span> = []
  const native = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer: native }
}

it.effect("every step of a swap has a span below that of the swap", () => {
  const { spans, tracer } = recorder()
  const { service, layer } = makeFixture()
  service.next("build-geo-op", Fault.expire)
  return Effect.gen(function* () {
    yield* succeeding(Client.execute(ScriptedTransport.evmRequest))
    const ours = spans.filter(({ name }) => name.startsWith("geoswap."))
    assert.deepStrictEqual(
      ours.map(({ name }) => name),
      [
        "geoswap.execute",
        "geoswap.quote",
        "geoswap.build",
        "geoswap.quote",
        "geoswap.build",
        "geoswap.authorize",
        "geoswap.delegation",
        "geoswap.build",
        "geoswap.verify",
        "geoswap.sign",
        "geoswap.submit",
        "geoswap.wait",
        "geoswap.status"
      ]
    )
    const [root] = ours
    const parentOf = (name: string) => {
      const parent = ours.find((span) => span.name === name)?.parent
      return parent !== undefined && Option.isSome(parent) ? parent.value.spanId : undefined
    }
    const idOf = (name: string) => ours.find((span) => span.name === name)?.spanId
    assert.strictEqual(parentOf("geoswap.delegation"), idOf("geoswap.authorize"))
    assert.strictEqual(parentOf("geoswap.status"), idOf("geoswap.wait"))
    for (const name of ["quote", "build", "authorize", "verify", "sign", "submit", "wait"]) {
      assert.strictEqual(parentOf(`geoswap.${name}`), root?.spanId, name)
    }
    assert.strictEqual(new Set(ours.map(({ traceId }) => traceId)).size, 1)
    assert.strictEqual(root?.status._tag, "Ended")
  }).pipe(Effect.provide(layer), Effect.withTracer(tracer))
})

it.effect("spans contain neither tokens nor signatures", () => {
  const { spans, tracer } = recorder()
  const { service, layer } = makeFixture()
  return Effect.gen(function* () {
    yield* succeeding(Client.execute(ScriptedTransport.evmRequest))
    const { geoOpToken, signature } = service.seen("submit")[0]?.body ?? {}
    const attributes = JSON.stringify(spans.map((span) => [...span.attributes]))
    assert.include(attributes, "swapId")
    for (const secret of [geoOpToken, signature, service.seen("build-geo-op")[0]?.body["geoQuoteToken"]]) {
      assert.isString(secret)
      assert.notInclude(attributes, String(secret))
    }
  }).pipe(Effect.provide(layer), Effect.withTracer(tracer))
})

it.effect("the value of a span is never a token, a signature or an authorization", () => {
  const { spans, tracer } = recorder()
  const { service, layer } = makeFixture()
  return Effect.gen(function* () {
    yield* succeeding(Client.execute(ScriptedTransport.evmRequest))
    const { geoOpToken, signature } = service.seen("submit")[0]?.body ?? {}
    const geoQuoteToken = service.seen("build-geo-op")[0]?.body["geoQuoteToken"]
    const { r } = Object(service.seen("build-geo-op").at(-1)?.body["authorization"]) as { readonly r?: string }
    const values = spans.map(({ status }) =>
      status._tag === "Ended" && status.exit._tag === "Success" ? status.exit.value : undefined
    )
    const text = JSON.stringify(values, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))
    for (const secret of [geoOpToken, geoQuoteToken, signature, r]) {
      assert.isString(secret)
      assert.notInclude(text, String(secret))
    }
  }).pipe(Effect.provide(layer), Effect.withTracer(tracer))
})

it.effect("a swap that fails ends its span", () => {
  const { spans, tracer } = recorder()
  const { service, layer } = makeFixture()
  service.always("quote", Fault.refuse(422, "NO_ROUTE"))
  return Effect.gen(function* () {
    yield* failing(Client.execute(ScriptedTransport.evmRequest))
    assert.deepStrictEqual(
      spans.filter(({ name }) => name.startsWith("geoswap.")).map(({ status }) => status._tag),
      ["Ended", "Ended"]
    )
  }).pipe(Effect.provide(layer), Effect.withTracer(tracer))
})
