import { it } from "@effect/vitest"
import type { Tool } from "@geoswap/tools"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as EffectTool from "effect/ai/Tool"
import { expect } from "vitest"
import { toToolkit } from "../src/mcp/toolkit.js"

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const schema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false
} as const

const makeTool = (name: string, run: Tool["run"]): Tool => ({
  name,
  title: name,
  description: `The tool ${name}`,
  inputSchema: schema,
  outputSchema: schema,
  annotations,
  run
})

const echo = makeTool("echo", (input) =>
  Promise.resolve({ isError: false, text: "", structured: input as Record<string, unknown> })
)
const broken = makeTool("broken", () =>
  Promise.resolve({ isError: true, text: "", structured: { error: { code: "BROKEN" } } })
)

it.effect("converts tools to a toolkit of Effect, with the same schemas, annotations and results", () => {
  const { layer, toolkit } = toToolkit([echo, broken])
  return Effect.gen(function* () {
    const built = yield* toolkit
    const tool = built.tools["echo"]
    expect(tool && EffectTool.getJsonSchema(tool)).toMatchObject(schema)
    expect(tool && EffectTool.getDescription(tool)).toBe("The tool echo")
    const results = yield* Stream.runCollect(Stream.unwrap(built.handle("echo", { text: "hello" })))
    expect(results.at(-1)).toMatchObject({ isFailure: false, encodedResult: { text: "hello" } })
    const failures = yield* Stream.runCollect(Stream.unwrap(built.handle("broken", { text: "" })))
    expect(failures.at(-1)).toMatchObject({ isFailure: true, encodedResult: { error: { code: "BROKEN" } } })
  }).pipe(Effect.provide(layer))
})

it.effect("cancels a tool when its fiber is interrupted", () => {
  let cancelled = false
  const started = Deferred.makeUnsafe<void>()
  const slow = makeTool(
    "slow",
    (_, options) =>
      new Promise((resolve) => {
        Deferred.doneUnsafe(started, Exit.void)
        options?.signal?.addEventListener("abort", () => {
          cancelled = true
          resolve({ isError: true, text: "", structured: {} })
        })
      })
  )
  const { layer, toolkit } = toToolkit([slow])
  return Effect.gen(function* () {
    const built = yield* toolkit
    const fiber = yield* Effect.forkChild(Stream.runCollect(Stream.unwrap(built.handle("slow", { text: "" }))), {
      startImmediately: true
    })
    yield* Deferred.await(started)
    yield* Fiber.interrupt(fiber)
    expect(cancelled).toBe(true)
  }).pipe(Effect.provide(layer))
})
