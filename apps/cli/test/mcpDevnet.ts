/** `geoswap mcp` on a devnet, with the official client. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import { call, connect, connectHttpProcess, connectStdio, makeAgent, transports, type versions } from "./mcpFixture.js"

const tools = [
  "list_chains",
  "search_tokens",
  "get_balances",
  "get_quote",
  "execute_swap",
  "get_swap",
  "wait_for_swap",
  "list_swaps",
  "resume_swap",
  "get_delegation",
  "revoke_delegation",
  "get_policy"
]

const once = { collected: 1, delivered: 1 }

/** Waits longer than by default, because an emulated chain is slow. */
const patient = (order: object) => ({ ...order, waitSeconds: 500 })

/** How a client is connected. */
export interface Combination {
  readonly transport: keyof typeof transports
  readonly version: keyof typeof versions
}

/** Calls every tool, and reads the resources and prompts. */
export const useEveryTool = Effect.fnUntraced(function* ({ transport, version }: Combination) {
  const agent = yield* makeAgent("alice")
  const connection = yield* transports[transport](agent, version)
  const { client } = connection
  expect(client.getNegotiatedProtocolVersion()).toBe(version)
  const listed = (yield* Effect.promise(() => client.listTools())).tools
  expect(listed.map(({ name }) => name)).toEqual(tools)
  const execute = listed.find(({ name }) => name === "execute_swap")
  expect(execute).toMatchObject({
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    inputSchema: { type: "object", required: ["amount", "from", "to"], additionalProperties: false }
  })

  const chains = yield* call(connection, "list_chains")
  expect(chains.text).toContain("usdc@devnet-a")
  const found = yield* call(connection, "search_tokens", { query: "usdc", chain: "devnet-a" })
  expect(found.value["tokens"]).toMatchObject([{ token: "usdc@devnet-a", source: "pinned" }])
  const policy = yield* call(connection, "get_policy")
  expect(policy.value["policies"]).toContainEqual(
    expect.objectContaining({
      boundary: "advisory",
      recipients: [agent.recipient],
      budgets: [expect.objectContaining({ token: "usdc@devnet-a", amount: "1000", left: "1000" })]
    })
  )
  const balances = yield* call(connection, "get_balances", { chain: "devnet-a" })
  expect(balances.text).toMatch(/\d usdc@devnet-a/)
  const indicative = yield* call(connection, "get_quote", { ...agent.order, indicative: true })
  expect(indicative.value).toMatchObject({ indicative: true, from: { amount: "100" } })
  const quote = yield* call(connection, "get_quote", agent.order)
  expect(quote.value).toMatchObject({ indicative: false, recipient: agent.recipient })

  const steps: Array<number> = []
  const swapped = yield* call(connection, "execute_swap", patient(agent.order), {
    onprogress: ({ progress }) => void steps.push(progress)
  })
  expect(swapped).toMatchObject({ isError: false, value: { repeated: false, swap: { status: "settled" } } })
  expect(steps.length).toBeGreaterThan(4)
  expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b))
  const { swapId = "" } = swapped.value.swap ?? {}
  for (const name of ["get_swap", "wait_for_swap"]) {
    expect((yield* call(connection, name, { swapId })).value.swap).toMatchObject({
      swapId,
      status: "settled",
      from: { amount: "100", token: "usdc@devnet-a" }
    })
  }
  expect((yield* call(connection, "list_swaps")).value).toMatchObject({
    swaps: [{ swapId }],
    unfinished: []
  })
  expect((yield* call(connection, "resume_swap", { id: swapId })).value.swap?.status).toBe("settled")
  const delegation = yield* call(connection, "get_delegation", { chain: "devnet-a" })
  expect(delegation.value).toMatchObject({ delegated: true, pinned: true })
  const revoked = yield* call(connection, "revoke_delegation", { chain: "devnet-a" })
  expect(revoked.value).toMatchObject({ changed: true, delegated: false })
  expect(yield* agent.executions).toEqual(once)

  const { resources } = yield* Effect.promise(() => client.listResources())
  expect(resources.map(({ uri }) => uri).toSorted()).toEqual(["geoswap://history", "geoswap://policy"])
  const { resourceTemplates } = yield* Effect.promise(() => client.listResourceTemplates())
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["geoswap://swaps/{swapId}"])
  for (const uri of ["geoswap://history", `geoswap://swaps/${swapId}`]) {
    const { contents } = yield* Effect.promise(() => client.readResource({ uri }))
    expect(JSON.stringify(contents)).toContain(swapId)
  }
  const { prompts } = yield* Effect.promise(() => client.listPrompts())
  expect(prompts.map(({ name }) => name).toSorted()).toEqual(["check_swap", "swap", "what_can_i_spend"])
  const { messages } = yield* Effect.promise(() =>
    client.getPrompt({
      name: "swap",
      arguments: { amount: "1", from: "usdc@devnet-a", to: "weth@devnet-b" }
    })
  )
  expect(JSON.stringify(messages)).toContain("get_policy")
})

/** Kills the server after it has submitted a swap, which another server resumes. */
export const resumeAfterKill = Effect.fnUntraced(function* ({ transport }: Pick<Combination, "transport">) {
  const agent = yield* makeAgent("bob")
  const held = agent.proxy.hold(/swap\/submit/, "after")
  yield* Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* transport === "stdio" ? connectStdio(agent) : connectHttpProcess(agent)
      const lost = yield* Effect.forkChild(call(connection, "execute_swap", patient(agent.order)))
      yield* held.arrived
      connection.kill()
      yield* Fiber.interrupt(lost)
    })
  )
  held.drop()
  const connection = yield* connect(agent)
  const { value } = yield* call(connection, "list_swaps")
  const [flow] = value["unfinished"] as ReadonlyArray<{ readonly flowId: string }>
  const another = yield* call(connection, "execute_swap", {
    ...patient(agent.order),
    idempotencyKey: "another"
  })
  expect(another.value.error).toMatchObject({ code: "UNFINISHED_SWAP", flowId: flow?.flowId })
  const resumed = yield* call(connection, "resume_swap", patient({ id: flow?.flowId }))
  expect(resumed.value.swap).toMatchObject({ status: "settled", from: { amount: "100" } })
  const repeated = yield* call(connection, "execute_swap", patient(agent.order))
  expect(repeated.value).toMatchObject({ repeated: true, swap: { swapId: resumed.value.swap?.swapId } })
  expect(yield* agent.executions).toEqual(once)
})
