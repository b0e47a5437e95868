/** Whole swaps with the store in files. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Policy } from "../../src/index.js"
import { FileStore } from "../../src/node.js"
import { Fault, ScriptedTransport, TestSigner } from "../../src/testing.js"
import { failing, succeeding, makeFixture } from "../fixture.js"
import { freshFolder } from "./fixture.js"
import type { Repeated } from "./childSwap.js"
import * as Processes from "./processes.js"

const { evmRequest } = ScriptedTransport
const { amount, inputToken: token, originChain: chainId } = evmRequest
const order = (options: Client.RunOptions = {}) =>
  Client.execute(evmRequest, { idempotencyKey: "order-17", ...options })

/** The contents of all files of a folder. */
const textOf = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n")

/** Processes that share a service and a folder. Each has its own store object. */
const machine = Effect.map(freshFolder, (path) => {
  const service = ScriptedTransport.make()
  service.delegate(chainId, evmRequest.walletAddress)
  const inner = TestSigner.evm()
  const signatures: Array<string> = []
  const evm: typeof inner = {
    ...inner,
    signOperation: (operation) =>
      Effect.tap(inner.signOperation(operation), (signed) => Effect.sync(() => signatures.push(signed)))
  }
  const process = (policy: Policy.Options = {}) =>
    makeFixture({ service, policy, signers: { evm }, store: FileStore.make(path) }).layer
  return { service, path, signatures, process }
})

describe("a client with its store in files", () => {
  it.effect("stores the signature only until the swap has an id", () =>
    Effect.gen(function* () {
      const { path, process, service, signatures } = yield* machine
      service.next("submit", Fault.disconnect({ after: false }))
      const seen: Array<readonly [event: string, isStored: boolean]> = []
      const onProgress = ({ type }: { readonly type: string }) =>
        Effect.sync(() => {
          if (type !== "resubmitted" && type !== "submitted") return
          const [signature = "none"] = signatures
          const { geoOpToken } = (service.seen("submit")[0]?.body ?? {}) as { readonly geoOpToken: string }
          const holds = (text: string) => text.includes(signature) || text.includes(geoOpToken)
          seen.push([type, holds(textOf(path))])
        })
      const swap = yield* Effect.provide(succeeding(order({ onProgress })), process())
      expect(seen).toEqual([
        ["resubmitted", true],
        ["submitted", false]
      ])
      expect(readdirSync(path)).toEqual([".lock", expect.stringMatching(/^key-/)])
      expect(textOf(path)).toContain(swap.swapId)
      expect(textOf(path)).toContain('"status":"settled"')
    })
  )

  it.effect("returns the same swap for the same key after a restart, and keeps its budget spent", () =>
    Effect.gen(function* () {
      const { process, service, signatures } = yield* machine
      const policy = { budgets: [{ chainId, token, amount }] }
      const swap = yield* Effect.provide(succeeding(order()), process(policy))
      const again = yield* Effect.provide(succeeding(order()), process(policy))
      expect({ ...again, minOutput: swap.minOutput }).toEqual(swap)
      const other = yield* Effect.provide(failing(order({ idempotencyKey: "order-18" })), process(policy))
      expect(other).toMatchObject({ _tag: "PolicyViolation", rule: "budgets" })
      expect([service.swaps.length, signatures.length]).toEqual([1, 1])
    })
  )

  it.effect("follows the swap of another process", () =>
    Effect.gen(function* () {
      const { path, process, service, signatures } = yield* machine
      service.next("submit", Fault.hang())
      const first = yield* Effect.forkChild(Effect.provide(order(), process()))
      while (service.seen("submit").length < 1) yield* TestClock.adjust(50)
      const swap = yield* Effect.provide(succeeding(order()), process())
      yield* Fiber.interrupt(first)
      expect(swap.status).toBe("settled")
      expect([service.swaps.length, signatures.length]).toEqual([1, 1])
      expect(yield* FileStore.make(path).flows).toEqual([])
    })
  )
})

describe("a client whose disk is full", { timeout: 600_000 }, () => {
  const atOnce = 8
  /** Runs a process in which the disk is full from some step on, each time in a new folder. */
  const fromSteps = (kind: string, first: number, count: number) =>
    Effect.gen(function* () {
      const paths = yield* Effect.all(Array.from({ length: count }, () => freshFolder))
      const env = { FAULT: "FULL", STEP: `${first}` }
      const { code, lines, stderr } = yield* Processes.run(["swapAgain", paths.join(":"), kind], { env })
      expect([code, stderr, lines.length]).toEqual([0, "", count])
      return lines.map((line) => JSON.parse(line) as Repeated)
    })

  it.live.each(["files", "authenticated"])("makes one swap of a key once there is space, with %s", (kind) =>
    Effect.gen(function* () {
      const [whole] = yield* Effect.scoped(fromSteps(kind, Number.MAX_SAFE_INTEGER, 1))
      const steps = whole?.steps ?? 0
      expect(whole).toEqual({ first: "settled", second: "settled", swaps: 1, signatures: 1, steps })
      expect(steps).toBeGreaterThan(20)
      const starts = Array.from({ length: Math.ceil(steps / atOnce) }, (_, at) => 1 + at * atOnce)
      const ends = yield* Effect.forEach(starts, (first) => Effect.scoped(fromSteps(kind, first, atOnce)), {
        concurrency: "unbounded"
      })
      for (const end of ends.flat()) {
        expect(end).toMatchObject({ second: "settled", swaps: 1 })
        // A signature that could not be stored is not sent.
        expect(end.signatures).toBeLessThanOrEqual(2)
      }
      const tags = new Set(ends.flat().map(({ first }) => first))
      expect(tags).toEqual(new Set(["StoreError", "OutcomeUnknown", "settled"]))
    })
  )
})

describe("clients in processes that share their folders", { timeout: 600_000 }, () => {
  it.effect("never sign for more than the budget, even with kill -9", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const swaps = 30
      const start = () => Processes.start(["swap", path, `${swaps}`])
      const submitted: Array<string> = []
      const client = Effect.fnUntraced(function* (first: Processes.Child, index: number) {
        let child = first
        if (index < 2) {
          yield* child.begin
          yield* child.printed((lines) => lines.length > index + 1 || lines.includes("PolicyViolation budgets"))
          yield* child.signal("SIGKILL")
          submitted.push(...(yield* child.ended).lines.filter((line) => line.startsWith("submit")))
          child = yield* start()
        }
        yield* child.begin
        const { code, lines, stderr } = yield* child.ended
        expect([code, stderr, lines.at(-1)]).toEqual([0, "", "PolicyViolation budgets"])
        submitted.push(...lines.filter((line) => line.startsWith("submit")))
      })
      const children = yield* Effect.all(Array.from({ length: 3 }, start))
      for (const child of children) yield* child.printed((lines) => lines.includes("ready"))
      yield* Effect.forEach(children, client, { concurrency: "unbounded", discard: true })

      // A process that is killed after it has stored a signature has spent its part of the budget, even if it sent nothing.
      expect(submitted.length).toBeLessThanOrEqual(swaps)
      expect(submitted.length).toBeGreaterThanOrEqual(swaps - 2)
      expect(new Set(submitted).size).toBe(submitted.length)
      expect(textOf(path)).toContain(`"total":"${BigInt(swaps) * amount}"`)
      const store = FileStore.make(path)
      const { damaged, flows } = yield* store.contents
      expect(damaged).toEqual([])
      expect((yield* store.openFlows(evmRequest.walletAddress)).filter(({ busy }) => busy)).toEqual([])
      expect(flows.length).toBeLessThanOrEqual(2)
    })
  )
})
