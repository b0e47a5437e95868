import { asSchema, generateText, isStepCount } from "ai"
import { MockLanguageModelV4 } from "ai/test"
import { describe, expect, it } from "vitest"
import { aiTools } from "../src/ai.js"
import { functionTools } from "../src/openai.js"
import { makeKit } from "./fixture.js"

describe("function calling", () => {
  it("has one definition per tool, with the same schema", () => {
    const { tools } = makeKit()
    const { definitions, responses } = functionTools(tools)
    expect(definitions.map((one) => one.function.name)).toEqual(tools.map(({ name }) => name))
    expect(definitions.map((one) => one.function.parameters)).toEqual(tools.map(({ inputSchema }) => inputSchema))
    expect(responses[4]).toMatchObject({ type: "function", name: "execute_swap", strict: false })
  })

  it("runs a call with the text that the model wrote", async () => {
    const { order, service, tools } = makeKit()
    const { call } = functionTools(tools)
    const answer = JSON.parse(await call("execute_swap", JSON.stringify(order))) as { swap: { status: string } }
    expect([answer.swap.status, service.swaps.length]).toEqual(["settled", 1])
  })

  it("answers a wrong name and invalid JSON with a next step", async () => {
    const { call } = functionTools(makeKit().tools)
    expect(JSON.parse(await call("sign_anything", "{}"))).toMatchObject({ error: { code: "UNKNOWN_TOOL" } })
    expect(JSON.parse(await call("get_policy", "{"))).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } })
  })
})

describe("the AI SDK", () => {
  it("gets the same JSON schemas and validates with them", async () => {
    const { order, tools } = makeKit()
    const schema = asSchema(aiTools(tools)["execute_swap"]?.inputSchema)
    expect(await schema.jsonSchema).toEqual(tools.find(({ name }) => name === "execute_swap")?.inputSchema)
    expect(await schema.validate?.(order)).toMatchObject({ success: true })
    expect(await schema.validate?.({ ...order, amount: 10 })).toMatchObject({ success: false })
  })

  it("swaps when a model calls the tool", async () => {
    const { order, service, tools } = makeKit()
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 }
    }
    const call = { type: "tool-call" as const, toolCallId: "1", toolName: "execute_swap", input: JSON.stringify(order) }
    const model = new MockLanguageModelV4({
      doGenerate: [
        { content: [call], finishReason: { unified: "tool-calls", raw: undefined }, usage, warnings: [] },
        {
          content: [{ type: "text", text: "Done." }],
          finishReason: { unified: "stop", raw: undefined },
          usage,
          warnings: []
        }
      ]
    })
    const { steps, text } = await generateText({
      model,
      tools: aiTools(tools),
      stopWhen: isStepCount(2),
      prompt: "Swap 10 USDC on Base for WETH on Arbitrum."
    })
    expect(text).toBe("Done.")
    expect(steps[0]?.toolResults[0]?.output).toMatchObject({ swap: { status: "settled" } })
    expect(service.swaps).toHaveLength(1)
  })
})
