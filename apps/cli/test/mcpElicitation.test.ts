import { it } from "@effect/vitest"
import { Vectors } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { call, connect, connectStdio } from "./mcpFixture.js"
import { makeAgent as makeScripted } from "./mcpScripted.js"

vi.setConfig({ testTimeout: 120_000 })

const order = { amount: "300", from: "usdc@base", to: "weth@arbitrum" }

/** A user whose policy asks for an approval above 200 USDC. */
const makeAgent = (...elicitation: ReadonlyArray<"yes">) =>
  makeScripted({ "approve-above": ["200 usdc@base"], elicitation })

/** Connects a client that answers every question, and records the questions. */
const connectClient = Effect.fnUntraced(function* (
  agent: Effect.Success<ReturnType<typeof makeAgent>>,
  answer: {
    readonly action: "accept" | "decline" | "cancel"
    readonly content?: { readonly [name: string]: boolean | string }
  },
  connectTo: typeof connect = connect
) {
  const connection = yield* connectTo(agent, { capabilities: { elicitation: { form: {} } } })
  const questions: Array<string> = []
  connection.client.setRequestHandler("elicitation/create", ({ params }) => {
    questions.push(params.message)
    return Promise.resolve(answer)
  })
  return { ...connection, questions }
})

const accept = { action: "accept", content: { approve: true } } as const

describe("an answer to an elicitation", () => {
  it.live("approves exactly the terms that it showed, if the policy says so", () =>
    Effect.gen(function* () {
      const agent = yield* makeAgent("yes")
      const connection = yield* connectClient(agent, accept, connectStdio)
      const swapped = yield* call(connection, "execute_swap", order)
      expect(swapped).toMatchObject({ isError: false, value: { swap: { status: "settled" } } })
      expect(connection.questions).toHaveLength(1)
      for (const part of [
        "Pay 300 usdc@base (300000000 units)",
        "Receive at least 298.5 weth@arbitrum (298500000 units)",
        `Recipient ${Vectors.evmKey.address.toLowerCase()}`,
        `Service ${agent.proxy.url}`,
        `Vault ${Vectors.evmDeployment.vault.toLowerCase()}`
      ]) {
        expect(connection.questions[0]).toContain(part)
      }
      // Another swap with the same terms needs another approval.
      yield* call(connection, "execute_swap", { ...order, idempotencyKey: "another" })
      expect(connection.questions).toHaveLength(2)
      expect(agent.paid()).toEqual([300_000_000n, 300_000_000n])
    })
  )

  it.live("is never asked for, and approves nothing, if the policy does not say so", () =>
    Effect.gen(function* () {
      const agent = yield* makeAgent()
      const connection = yield* connectClient(agent, accept)
      const refused = yield* call(connection, "execute_swap", order)
      expect(refused.value.error).toMatchObject({ code: "APPROVAL_NEEDED", approvalId: expect.any(String) as unknown })
      expect(connection.questions).toEqual([])
      expect(agent.paid()).toEqual([])
    })
  )

  it.live.each([
    { action: "decline" },
    { action: "cancel" },
    { action: "accept", content: { approve: false } },
    { action: "accept", content: { approve: "yes" } }
  ] as const)("refuses the swap if it is %j", (answer) =>
    Effect.gen(function* () {
      const agent = yield* makeAgent("yes")
      const connection = yield* connectClient(agent, answer)
      const refused = yield* call(connection, "execute_swap", order)
      expect(refused.value.error?.code).toBe("APPROVAL_NEEDED")
      expect(connection.questions).toHaveLength(1)
      expect(agent.paid()).toEqual([])
    })
  )
})
