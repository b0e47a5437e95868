/** Calls of `execute_swap` that end early: the server is killed, or the client cancels the call. */
import { Fault } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import { call, type combinations, connect, connectStdio, transports } from "./mcpFixture.js"
import { makeAgent } from "./mcpScripted.js"
import { until } from "./runCli.js"

const hundred = 100_000_000n

/** The requests of a swap at which the server is killed, in order. */
export const steps = [
  { name: "requests a quote", path: /swap\/quote/, moment: "before", isSigned: false },
  { name: "sends the build request", path: /swap\/build/, moment: "before", isSigned: false },
  { name: "receives the build response", path: /swap\/build/, moment: "after", isSigned: false },
  { name: "sends the submit request", path: /swap\/submit/, moment: "before", isSigned: true },
  { name: "receives the submit response", path: /swap\/submit/, moment: "after", isSigned: true },
  { name: "waits for the outcome", path: /swap\/status/, moment: "before", isSigned: true }
] as const

type Step = (typeof steps)[number]

/** Kills a server while it executes a swap. Returns the agent, and a connection to a new server. */
const kill = Effect.fnUntraced(function* ({ moment, path }: Step) {
  const agent = yield* makeAgent()
  const held = agent.proxy.hold(path, moment)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* connectStdio(agent)
      const lost = connection.client
        .callTool({ name: "execute_swap", arguments: agent.order }, { timeout: 280_000 })
        .then(
          () => "answered",
          () => "lost"
        )
      yield* held.arrived
      connection.kill()
      expect(yield* Effect.promise(() => lost)).toBe("lost")
    })
  )
  held.drop()
  return { agent, connection: yield* connect(agent) }
})

type Killed = Effect.Success<ReturnType<typeof kill>>

const isInProgress = Effect.fnUntraced(function* ({ agent, connection }: Killed) {
  const { value } = yield* call(connection, "execute_swap", { ...agent.order, waitSeconds: 1 })
  expect(value.error?.code).toBe("SERVICE_SLOW")
})

/** Repeats the call until it succeeds, and resumes the swap first if it was signed. The swap is executed once. */
export const repeatAfterKill = Effect.fnUntraced(function* (step: Step) {
  const killed = yield* kill(step)
  const { agent, connection } = killed
  if (step.isSigned) {
    const { value } = yield* call(connection, "list_swaps")
    const [flow] = value["unfinished"] as ReadonlyArray<{ readonly flowId: string }>
    const resumed = yield* call(connection, "resume_swap", { id: flow?.flowId ?? "" })
    expect(resumed.value.swap).toMatchObject({ status: "settled" })
  } else yield* isInProgress(killed)
  const repeated = yield* call(connection, "execute_swap", { ...agent.order, waitSeconds: 200 })
  expect(repeated.value).toMatchObject({ repeated: step.isSigned, swap: { status: "settled" } })
  expect({ paid: agent.paid(), nonces: agent.nonces().size }).toEqual({ paid: [hundred], nonces: 1 })
})

/** Cancels a call after its swap was accepted. Nothing else is signed until that swap is resumed. */
export const cancel = Effect.fnUntraced(function* ({ transport, version }: (typeof combinations)[number]) {
  const agent = yield* makeAgent()
  const connection = yield* transports[transport](agent, version)
  const { client } = connection
  const messages: Array<unknown> = []
  client.setNotificationHandler("notifications/message", ({ params }) => void messages.push(params.data))
  agent.service.next("submit", Fault.hang({ after: true }))
  const cancelled = yield* Effect.forkChild(call(connection, "execute_swap", agent.order))
  yield* until(() => agent.service.swaps.length > 0, "an accepted swap")
  yield* Fiber.interrupt(cancelled)

  const { value } = yield* call(connection, "list_swaps")
  const [flow] = value["unfinished"] as ReadonlyArray<{ readonly flowId: string }>
  const flowId = flow?.flowId ?? ""
  // Without a session, a cancelled request has no stream for a message.
  if (version === "2025-11-25") {
    yield* until(() => messages.length > 0, "the message about the cancelled call")
    expect(messages).toMatchObject([{ error: { code: "CANCELLED", flowId } }])
  }
  const next = { ...agent.order, amount: "50", idempotencyKey: "another" }
  // Until the server has stopped the cancelled call, only the policy refuses. It allows 1,000 USDC.
  const refused = yield* Effect.repeat(call(connection, "execute_swap", { ...next, amount: "1000.5" }), {
    until: (result) => result.value.error?.code !== "POLICY_VIOLATION"
  })
  expect(refused.value.error).toMatchObject({ code: "UNFINISHED_SWAP", flowId })
  const resumed = yield* call(connection, "resume_swap", { id: flowId })
  expect(resumed.value.swap).toMatchObject({ status: "settled" })
  expect((yield* call(connection, "execute_swap", next)).value.swap).toMatchObject({ status: "settled" })
  expect(agent.paid()).toEqual([hundred, hundred / 2n])
})
