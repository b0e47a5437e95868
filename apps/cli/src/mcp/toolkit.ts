/** The tools as a toolkit of Effect's AI modules, for programs that run a model with Effect. */
import type { Tool as GeoswapTool, ToolResult } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"

const Result = Schema.Record(Schema.String, Schema.Unknown)

/** Runs a tool until it ends or its fiber is interrupted, which cancels it. */
const run = (tool: GeoswapTool, input: unknown): Effect.Effect<ToolResult> =>
  Effect.callback((resume) => {
    const controller = new AbortController()
    const running = tool.run(input, { signal: controller.signal })
    void running.then((result) => resume(Effect.succeed(result)))
    return Effect.promise(async () => {
      controller.abort()
      await running
    })
  })

const toTool = ({ annotations, description, inputSchema, name, title }: GeoswapTool) =>
  Tool.dynamic(name, {
    description,
    parameters: { ...inputSchema },
    success: Result,
    failure: Result,
    failureMode: "return"
  })
    .annotate(Tool.Title, title)
    .annotate(Tool.Readonly, annotations.readOnlyHint)
    .annotate(Tool.Destructive, annotations.destructiveHint)
    .annotate(Tool.Idempotent, annotations.idempotentHint)
    .annotate(Tool.OpenWorld, annotations.openWorldHint)

/** Creates a toolkit and the layer with its handlers. An error result is a failure that the model sees. */
export const toToolkit = (tools: ReadonlyArray<GeoswapTool>) => {
  const toolkit = Toolkit.make(...tools.map(toTool))
  const handlers = Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      (input: unknown) =>
        Effect.flatMap(run(tool, input), ({ isError, structured }) =>
          isError ? Effect.fail(structured) : Effect.succeed(structured)
        )
    ])
  )
  return { toolkit, layer: toolkit.toLayer(handlers) }
}
