/** The tools for function calling as OpenAI defined it, which many other APIs accept. */
import type { ObjectSchema } from "./JsonSchema.js"
import type { RunOptions, Tool } from "./Tool.js"

/** A function in the form of the chat completions API. */
interface FunctionTool {
  readonly type: "function"
  readonly function: { readonly name: string; readonly description: string; readonly parameters: ObjectSchema }
}

/** A function in the form of the responses API. */
interface ResponsesTool {
  readonly type: "function"
  readonly name: string
  readonly description: string
  readonly parameters: ObjectSchema
  readonly strict: false
}

/** The tools as function definitions, and the function that runs a call. */
export interface FunctionTools {
  /** For `tools` in the chat completions API. */
  readonly definitions: ReadonlyArray<FunctionTool>
  /** For `tools` in the responses API. */
  readonly responses: ReadonlyArray<ResponsesTool>
  /**
   * Runs a call. `argumentsJson` is the text that the model wrote. Resolves with the text to send back, also if the tool
   * fails, does not exist, or the arguments are not JSON.
   */
  readonly call: (name: string, argumentsJson: string, options?: RunOptions) => Promise<string>
}

const failure = (code: string, message: string, nextStep: string): string =>
  JSON.stringify({ error: { code, message, nextStep } })

/**
 * Converts the tools to function definitions.
 *
 * @example
 * ```ts
 * const { definitions, call } = functionTools(createTools(backend))
 * const content = await call("get_quote", '{"amount":"10","from":"usdc@base","to":"weth@arbitrum"}')
 * ```
 */
export const functionTools = (tools: ReadonlyArray<Tool>): FunctionTools => ({
  definitions: tools.map(({ description, inputSchema, name }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema }
  })),
  responses: tools.map(({ description, inputSchema, name }) => ({
    type: "function",
    name,
    description,
    parameters: inputSchema,
    strict: false
  })),
  call: async (name, argumentsJson, options) => {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) {
      const names = tools.map((one) => one.name).join(", ")
      return failure("UNKNOWN_TOOL", "There is no tool with this name.", `Use one of: ${names}.`)
    }
    let input: unknown
    try {
      input = argumentsJson.trim() === "" ? {} : JSON.parse(argumentsJson)
    } catch {
      return failure("INVALID_ARGUMENTS", "The arguments are not valid JSON.", "Nothing was sent. Write valid JSON.")
    }
    const { structured } = await tool.run(input, options)
    return JSON.stringify(structured)
  }
})
