/** Swaps that are killed or interrupted at a request, and what is left of them. */
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { accept } from "./runCli.js"
import { schemaErrors } from "./jsonSchema.js"
import type { Moment } from "./serviceProxy.js"
import { type Answer, makeUser } from "./swapFixture.js"

/** Where a swap stops: a request, and the state that is left. */
export interface Step {
  readonly name: string
  readonly path: RegExp
  readonly moment: Moment
  readonly state: "nothing signed" | "signed, perhaps submitted" | "accepted"
}

/** The requests of a swap, in order. */
export const steps: ReadonlyArray<Step> = [
  { name: "it requests the delegation", path: /swap\/delegation/, moment: "before", state: "nothing signed" },
  { name: "it requests a quote", path: /swap\/quote/, moment: "before", state: "nothing signed" },
  { name: "it sends the build request", path: /swap\/build/, moment: "before", state: "nothing signed" },
  { name: "it receives the build response", path: /swap\/build/, moment: "after", state: "nothing signed" },
  { name: "it sends the submit request", path: /swap\/submit/, moment: "before", state: "signed, perhaps submitted" },
  {
    name: "it receives the submit response",
    path: /swap\/submit/,
    moment: "after",
    state: "signed, perhaps submitted"
  },
  { name: "it waits for the outcome", path: /swap\/status/, moment: "before", state: "accepted" }
]

/** Kills a swap, and resumes it. A signed swap is executed once, and another one never. */
export const killAndResume = Effect.fnUntraced(function* ({ moment, path, state }: Step) {
  const executed = state === "nothing signed" ? 0 : 1
  const user = yield* makeUser("alice")
  yield* user.killAt(path, moment, "swap", ...user.swapArgs, ...accept)
  expect(user.flows()).toHaveLength(executed)
  const resumed = yield* user.json("cli-resume", "resume", "--devnet")
  expect(resumed.code).toBe(0)
  expect(resumed.answer["resumed"]).toMatchObject(executed === 1 ? [{ swap: { status: "settled" } }] : [])
  expect(yield* user.executions).toEqual({ collected: executed, delivered: executed })
  expect(user.flows()).toEqual([])
})

/** Interrupts a swap, which reports its state, and runs the command that it suggests. */
export const interrupt = Effect.fnUntraced(function* ({ moment, path, state }: Step) {
  const user = yield* makeUser("bob")
  const started = yield* user.startUntil(path, moment, "swap", ...user.swapArgs, ...accept, "--json")
  started.process.kill("SIGINT")
  const { code, stdout } = yield* started.ended
  started.drop()
  const answer = JSON.parse(stdout) as Answer
  expect(schemaErrors("cli-error", answer)).toEqual([])
  expect([code, answer.error]).toMatchObject([130, { name: "Interrupted", state }])
  const [flowId = ""] = user.flows()
  const next = answer.error?.next ?? ""
  if (state === "nothing signed") {
    return expect([flowId, next]).toEqual(["", "Run the command again when you are ready."])
  }
  if (state === "accepted") expect(next).toMatch(/^geoswap --devnet status --watch \S+$/)
  else expect(next).toBe(`geoswap --devnet resume ${flowId}`)
  // The suggested command finishes the swap.
  const { code: ended } = yield* user.geoswap(...next.split(" ").slice(1))
  expect([ended, user.flows()]).toEqual([0, []])
  expect(yield* user.executions).toEqual({ collected: 1, delivered: 1 })
})
