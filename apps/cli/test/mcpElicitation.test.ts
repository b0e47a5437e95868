import { it } from "@effect/vitest"
import { Vectors } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { call, connectStdio, toArgs } from "./mcpFixture.js"
import { enter, hasPty, open as openTerminal } from "./pty.js"
import { open, usdc, weth } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 120_000 })

const order = { amount: "300", from: "usdc@base", to: "weth@arbitrum" }

const policyArgs = toArgs({
  chain: ["base", "arbitrum"],
  token: ["usdc@base", "weth@arbitrum"],
  recipient: [Vectors.evmKey.address],
  budget: ["1000 usdc@base/day"],
  "min-rate": ["usdc@base weth@arbitrum 0.5"],
  "approve-above": ["200 usdc@base"]
})

/** A user of the scripted service whose policy asks for an approval above 200 USDC. */
const makeAgent = Effect.fnUntraced(function* (...rules: ReadonlyArray<string>) {
  const scripted = yield* open
  const token = (symbol: string, address: string) => ({ symbol, address, decimals: 6 })
  scripted.configure({
    chains: {
      8453: { kind: "evm", name: "Base", tokens: [token("USDC", usdc)] },
      42161: { kind: "evm", name: "Arbitrum", tokens: [token("WETH", weth)] }
    }
  })
  yield* Effect.scoped(
    Effect.gen(function* () {
      const terminal = yield* openTerminal(scripted.workspace, "policy", "init", ...policyArgs, ...rules)
      yield* terminal.shows(/Creating a policy for/)
      terminal.type(`y${enter}`)
      expect((yield* terminal.ended).code).toBe(0)
    })
  )
  return { ...scripted, flags: [] }
})

/** Connects a client that answers every question, and records the questions. */
const connect = Effect.fnUntraced(function* (
  agent: Effect.Success<ReturnType<typeof makeAgent>>,
  answer: {
    readonly action: "accept" | "decline" | "cancel"
    readonly content?: { readonly [name: string]: boolean | string }
  }
) {
  const connection = yield* connectStdio(agent, { capabilities: { elicitation: { form: {} } } })
  const questions: Array<string> = []
  connection.client.setRequestHandler("elicitation/create", ({ params }) => {
    questions.push(params.message)
    return Promise.resolve(answer)
  })
  return { ...connection, questions }
})

const accept = { action: "accept", content: { approve: true } } as const

describe.skipIf(!hasPty)("an answer to an elicitation", () => {
  it.live("approves exactly the terms that it showed, if the policy says so", () =>
    Effect.gen(function* () {
      const agent = yield* makeAgent("--elicitation", "yes")
      const connection = yield* connect(agent, accept)
      const swapped = yield* call(connection, "execute_swap", order)
      expect(swapped).toMatchObject({ isError: false, value: { swap: { status: "settled" } } })
      expect(connection.questions).toHaveLength(1)
      for (const part of [
        "Pay 300 usdc@base (300000000 units)",
        "Receive at least 285 weth@arbitrum (285000000 units)",
        `Recipient ${Vectors.evmKey.address.toLowerCase()}`,
        `Service ${agent.url}`,
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
      const connection = yield* connect(agent, accept)
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
      const agent = yield* makeAgent("--elicitation", "yes")
      const connection = yield* connect(agent, answer)
      const refused = yield* call(connection, "execute_swap", order)
      expect(refused.value.error?.code).toBe("APPROVAL_NEEDED")
      expect(connection.questions).toHaveLength(1)
      expect(agent.paid()).toEqual([])
    })
  )
})
