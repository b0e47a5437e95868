import { Fault } from "@geoswap/core/testing/promise"
import { describe, expect, it } from "vitest"
import { maxItems, maxSize } from "../src/bounds.js"
import { problemsOf } from "../src/JsonSchema.js"
import { type Backend, createTools, ToolError, type View } from "../src/index.js"
import { makeKit } from "./fixture.js"

const failing = () => Promise.reject(new Error("This method is not called."))

/** A backend of a user with one usable chain, whose service lists many chains and tokens. */
const flooded = (change: Partial<Backend> = {}): Backend => {
  const chain = (id: number, tokens: View.Chain["tokens"] = []): View.Chain => ({
    id,
    name: `chain ${id} ${"x".repeat(5_000)}`,
    family: "evm",
    served: true,
    tokens
  })
  const usdc = {
    token: "usdc@base",
    symbol: "USDC",
    chain: "Base",
    chainId: 8453,
    address: "0x1",
    decimals: 6,
    native: false
  }
  return {
    chains: () => Promise.resolve([chain(8453, [usdc]), ...Array.from({ length: 6_000 }, (_, at) => chain(at + 1))]),
    searchTokens: failing,
    balances: failing,
    quote: failing,
    execute: failing,
    swap: failing,
    wait: failing,
    swaps: failing,
    resume: failing,
    delegation: failing,
    revoke: failing,
    policies: failing,
    ...change
  }
}

const callTool = async (backend: Backend, name: string, input: unknown = {}) => {
  const tool = createTools(backend).find((one) => one.name === name)
  if (tool === undefined) throw new Error(`There is no tool ${name}.`)
  const result = await tool.run(input)
  const problems = result.isError ? [] : problemsOf(tool.outputSchema, result.structured)
  return { ...result, problems, size: JSON.stringify(result.structured).length }
}

describe("a result", () => {
  it("stays small if a service lists thousands of chains, and says what it leaves out", async () => {
    const { isError, problems, size, structured, text } = await callTool(flooded(), "list_chains")
    expect([isError, problems]).toEqual([false, []])
    expect(size).toBeLessThan(maxSize + 1_000)
    expect(text.length).toBeLessThan(maxSize)
    const chains = structured["chains"] as ReadonlyArray<View.Chain>
    expect(chains.length).toBeLessThanOrEqual(maxItems)
    expect(chains[0]).toMatchObject({ id: 8453, tokens: [{ token: "usdc@base" }] })
    const leftOut = `${6_001 - chains.length} of chains`
    expect(structured["leftOut"]).toBe(leftOut)
    expect(text).toContain(`Left out, because the result would be too long: ${leftOut}.`)
  })

  it("stays small if lists are nested", async () => {
    const tokens = Array.from({ length: 5_000 }, (_, at) => ({
      token: `t${at}@base`,
      symbol: `T${at}`,
      chain: "Base",
      chainId: 1,
      address: `0x${at}`,
      decimals: 6,
      native: false
    }))
    const chains = Array.from({ length: 300 }, (_, at) => ({
      id: at + 1,
      name: `chain ${at}`,
      family: "evm" as const,
      served: true,
      tokens
    }))
    const { problems, size, structured } = await callTool(
      flooded({ chains: () => Promise.resolve(chains) }),
      "list_chains"
    )
    expect(problems).toEqual([])
    expect(size).toBeLessThan(maxSize + 1_000)
    expect(structured["leftOut"]).toMatch(/^\d+ of chains, \d+ of tokens$/)
  })

  it("stays small if a text or an error is long", async () => {
    const long = "\u{1F600}".repeat(50_000)
    const problem = await callTool(
      flooded({ policies: () => Promise.resolve([{ ...policy, problem: long }]) }),
      "get_policy"
    )
    expect([problem.isError, problem.problems]).toEqual([false, []])
    const fields = { code: "C", message: long, nextStep: long, expected: long, found: long, untrustedMessage: long }
    const error = await callTool(flooded({ policies: () => Promise.reject(new ToolError(fields)) }), "get_policy")
    expect(error.isError).toBe(true)
    for (const { size, text } of [problem, error]) expect([size < 6_000, text.length < 6_000]).toEqual([true, true])
  })

  it("says nothing about omissions if it is complete", async () => {
    const { call } = makeKit()
    const { structured, text } = await call("list_chains")
    expect(structured).not.toHaveProperty("leftOut")
    expect(text).not.toContain("Left out")
  })

  it("holds at most 100 tokens of a service that lists thousands", async () => {
    const { call, service } = makeKit()
    const tokens = Array.from({ length: 6_000 }, (_, at) => ({
      symbol: `USDC${"x".repeat(500)}`,
      address: `0x${at.toString(16).padStart(40, "0")}`,
      decimals: 6
    }))
    service.always(
      "chains",
      Fault.alter((answer) => ({ ...answer, chains: [{ id: 8453, name: "Base", kind: "evm", tokens }] }))
    )
    const { structured } = await call("search_tokens", { query: "usdc", limit: 100 })
    expect(structured).toMatchObject({ tokens: { length: 100 }, more: 5_901 })
    expect(JSON.stringify(structured).length).toBeLessThan(maxSize)
  })
})

const policy: View.Policy = {
  family: "evm",
  boundary: "none",
  chains: [],
  tokens: [],
  recipients: [],
  budgets: [],
  approveAbove: []
}

describe("an output schema", () => {
  it("states the maximum of every list and every text", () => {
    const check = (schema: unknown, path: string): ReadonlyArray<string> => {
      if (typeof schema !== "object" || schema === null) return []
      const { enum: values, items, maxItems: most, maxLength, properties, type } = schema as Record<string, unknown>
      const missing =
        (type === "string" && values === undefined && maxLength === undefined) ||
        (type === "array" && most === undefined)
      return [
        ...(missing ? [path] : []),
        ...check(items, `${path}[]`),
        ...Object.entries((properties as object | undefined) ?? {}).flatMap(([name, inner]) =>
          check(inner, `${path}.${name}`)
        )
      ]
    }
    for (const { name, outputSchema } of createTools(flooded())) expect(check(outputSchema, name)).toEqual([])
  })
})
