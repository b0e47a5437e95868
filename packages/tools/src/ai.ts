/** The tools for the Vercel AI SDK (`ai` 7). The entry imports nothing from it: its tools are plain objects. */
import { type JsonSchema, problemsOf } from "./JsonSchema.js"
import type { Tool, ToolResult } from "./Tool.js"

/** A Standard Schema with a JSON schema, which the AI SDK accepts as an input schema. */
interface StandardSchema {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: "geoswap"
    readonly validate: (
      value: unknown
    ) => { readonly value: unknown } | { readonly issues: ReadonlyArray<{ readonly message: string }> }
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
      readonly output: (options: { readonly target: string }) => Record<string, unknown>
    }
    readonly types?: { readonly input: unknown; readonly output: unknown }
  }
}

/** A tool of the AI SDK. */
export interface AiTool {
  readonly title: string
  readonly description: string
  readonly inputSchema: StandardSchema
  readonly execute: (
    input: unknown,
    options: { readonly abortSignal?: AbortSignal | undefined }
  ) => Promise<ToolResult["structured"]>
}

const standard = (schema: JsonSchema): StandardSchema => {
  const copy = (): Record<string, unknown> => structuredClone(schema)
  return {
    "~standard": {
      version: 1,
      vendor: "geoswap",
      validate: (value) => {
        const problems = problemsOf(schema, value)
        return problems.length === 0 ? { value } : { issues: problems.map((message) => ({ message })) }
      },
      // The schemas use only what draft 7 and draft 2020-12 have in common.
      jsonSchema: { input: copy, output: copy }
    }
  }
}

/**
 * Converts the tools to tools of the AI SDK. A tool that fails returns `{ error: { code, message, nextStep } }`, so that
 * the model can take the next step.
 *
 * @example
 * ```ts
 * const tools = aiTools(createTools(backend))
 * // await generateText({ model, tools, prompt: "Swap 10 USDC on Base for WETH on Arbitrum." })
 * ```
 */
export const aiTools = (tools: ReadonlyArray<Tool>): Record<string, AiTool> =>
  Object.fromEntries(
    tools.map(({ description, inputSchema, name, run, title }): [string, AiTool] => [
      name,
      {
        title,
        description,
        inputSchema: standard(inputSchema),
        execute: async (input, { abortSignal }) => (await run(input, { signal: abortSignal })).structured
      }
    ])
  )
