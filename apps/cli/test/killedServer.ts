/** `geoswap mcp`, killed at a step of a swap, and then started again. The service and the price feed are scripted. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Fault } from "@geoswap/core/testing"
import type { Transport } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { makeAgent } from "./agentFixture.js"
import { call, connect, type Connection, connectStdio } from "./mcpFixture.js"
import { until, type Workspace } from "./runCli.js"
import { feedNode } from "./scriptedNode.js"
import { usdc, weth } from "./scriptedServer.js"

const idempotencyKey = "order-1"
const order = { amount: "40", from: "usdc@base", to: "weth@arbitrum", idempotencyKey, waitSeconds: 60 }

/** A wallet whose policy reads a price feed: once for the quote, and once when the budget has been reserved. */
const makeFeedAgent = Effect.gen(function* () {
  const agent = yield* makeAgent
  const feed = { reads: 0, heldRead: Infinity }
  const rpcUrl = yield* feedNode(
    42161,
    // The service gives 1e-12 WETH for one USDC, so WETH costs $1e12.
    () => ({ answer: 10n ** 20n, updatedAt: Math.floor(Date.now() / 1000) }),
    () => ++feed.reads === feed.heldRead
  )
  const price = { chainId: 42161, rpcUrl, address: "0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70", maxAgeSeconds: 3_600 }
  const pair = { input: { chainId: 8453, token: usdc }, output: { chainId: 42161, token: weth } }
  yield* agent.writePolicy({ pairs: [{ ...pair, prices: { input: { usd: "1" }, output: price }, maxLossBps: 600 }] })
  const signatures = join(agent.workspace.folder, "signatures.txt")
  /** Starts a server, which records its signatures, and perhaps stops right after signing. */
  const start = (holds: boolean) =>
    connectStdio({
      flags: [],
      workspace: {
        ...agent.workspace,
        environment: {
          ...agent.workspace.environment,
          NODE_OPTIONS: `--import ${fileURLToPath(new URL("recordSignatures.ts", import.meta.url))}`,
          GEOSWAP_TEST_SIGNATURES: signatures,
          ...(holds && { GEOSWAP_TEST_HOLD_SIGNATURE: "yes" })
        }
      }
    })
  /** Starts another server in this process, with another clock and more variables in the environment. */
  const startAnother = (clock: Workspace["clock"] = {}, more: Workspace["environment"] = {}) =>
    connect({
      flags: [],
      workspace: { ...agent.workspace, environment: { ...agent.workspace.environment, ...more }, clock }
    })
  return { ...agent, feed, signatures, start, startAnother }
})

type FeedAgent = Effect.Success<typeof makeFeedAgent>

/** A moment of a swap: how to stop there, and when it is reached. */
export interface Step {
  readonly name: string
  readonly isSigned: boolean
  readonly hold: (agent: FeedAgent) => void
  readonly isReached: (agent: FeedAgent) => boolean
  readonly holdsSignature?: boolean
}

/** Stops at a request that the service has received, and has not handled. */
const atRequest = (name: string, endpoint: Transport.Endpoint, isSigned: boolean): Step => ({
  name,
  isSigned,
  hold: ({ scripted }) => scripted.service.next(endpoint, Fault.hang()),
  isReached: ({ scripted }) => scripted.service.seen(endpoint).length > 0
})

/** The steps of a swap, in order. */
export const steps: ReadonlyArray<Step> = [
  atRequest("before it has a quote", "quote", false),
  atRequest("after the quote, before the operation is built", "build-geo-op", false),
  {
    name: "after the budget is reserved, before it signs",
    isSigned: false,
    hold: ({ feed }) => void (feed.heldRead = 2),
    isReached: ({ feed }) => feed.reads >= 2
  },
  {
    name: "after it has signed, before the signature is stored",
    isSigned: false,
    hold: () => undefined,
    isReached: ({ signatures }) => existsSync(`${signatures}.held`),
    holdsSignature: true
  },
  atRequest("after the signature is stored, before the service has it", "submit", true),
  {
    name: "after the service has accepted the swap, before it answers",
    isSigned: true,
    hold: ({ scripted }) => scripted.service.next("submit", Fault.hang({ after: true })),
    isReached: ({ scripted }) => scripted.service.swaps.length > 0
  },
  atRequest("while it waits for the outcome", "status", true)
]

/** Starts a swap, and kills the server at a step. */
const killAt = (agent: FeedAgent, { hold, holdsSignature = false, isReached, name }: Step) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* agent.start(holdsSignature)
      hold(agent)
      const swapping = connection.client.callTool({ name: "execute_swap", arguments: order }).then(
        (result) => JSON.stringify(result),
        () => undefined
      )
      let early: string | undefined
      void swapping.then((result) => (early = result))
      yield* until(() => isReached(agent) || early !== undefined, name)
      expect(early).toBeUndefined()
      connection.kill()
      expect(yield* Effect.promise(() => swapping)).toBeUndefined()
    })
  )

const unfinished = (connection: Connection) =>
  Effect.map(call(connection, "list_swaps"), ({ value }) => value["unfinished"] as ReadonlyArray<{ flowId: string }>)

/** If nothing was signed, a new server has nothing to resume. */
const hasNothingToResume = Effect.fnUntraced(function* (connection: Connection) {
  expect(yield* unfinished(connection)).toEqual([])
  const resumed = yield* call(connection, "resume_swap", { id: "swap-q1" })
  expect(resumed.value.error).toMatchObject({ code: "NOTHING_TO_RESUME" })
})

/** Makes the same call to a new server, at once: what the killed server held is free. The swap is executed once. */
export const callAgain = Effect.fnUntraced(function* (step: Step) {
  const agent = yield* makeFeedAgent
  const { scripted } = agent
  yield* killAt(agent, step)
  const connection = yield* agent.startAnother()
  if (!step.isSigned) yield* hasNothingToResume(connection)
  const result = yield* call(connection, "execute_swap", order)
  expect(result).toMatchObject({ isError: false, value: { swap: { status: "settled" }, idempotencyKey } })
  const again = yield* call(connection, "execute_swap", order)
  expect(again.value).toMatchObject({ swap: { swapId: result.value.swap?.swapId }, repeated: true })
  expect(yield* unfinished(connection)).toEqual([])
  expect([scripted.service.swaps.length, scripted.paid()]).toEqual([1, [40_000_000n]])
})

/** Calls `resume_swap` of a new server. A signed swap is executed once, and a server of another wallet leaves it. */
export const resume = Effect.fnUntraced(function* (step: Step) {
  const agent = yield* makeFeedAgent
  const { scripted } = agent
  yield* killAt(agent, step)
  const connection = yield* agent.startAnother()
  const [flow] = yield* unfinished(connection)
  // Nothing else is signed until the outcome is known.
  if (step.name !== "while it waits for the outcome") {
    const other = yield* call(connection, "execute_swap", { ...order, idempotencyKey: "order-2" })
    expect(other.value.error).toMatchObject({ code: "UNFINISHED_SWAP", flowId: flow?.flowId })
  }
  const stranger = yield* agent.startAnother({}, { GEOSWAP_EVM_KEY: `0x${"77".repeat(32)}` })
  const nothing = { swaps: [], unfinished: [] }
  expect((yield* call(stranger, "list_swaps")).value).toEqual(nothing)
  const refused = yield* call(stranger, "resume_swap", { id: flow?.flowId })
  expect(refused.value.error).toMatchObject({
    code: "OTHER_WALLET",
    nextStep: expect.stringContaining(`geoswap resume ${flow?.flowId}`) as unknown
  })
  const resumed = yield* call(connection, "resume_swap", { id: flow?.flowId })
  expect(resumed).toMatchObject({ isError: false, value: { swap: { status: "settled" } } })
  expect(yield* call(connection, "execute_swap", order)).toMatchObject({
    value: { swap: { swapId: resumed.value.swap?.swapId }, repeated: true }
  })
  expect((yield* call(stranger, "list_swaps")).value).toEqual(nothing)
  const listed = yield* call(connection, "list_swaps")
  expect(listed.value).toMatchObject({ swaps: [{ swapId: resumed.value.swap?.swapId }], unfinished: [] })
  expect([scripted.service.swaps.length, scripted.paid()]).toEqual([1, [40_000_000n]])
})
