/**
 * No schedule of faults, aborts, killed processes and resumes from other processes spends more than the budget, or
 * leaves a swap in progress that no process has returned and no flow in the store leads to.
 *
 * `FUZZ_SEED` sets the first case and `FUZZ_CASE` the only one. There is one schedule for every 20 of `FUZZ_RUNS`.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import { casesOf, isWhole, repeat, runs, seed, seededRandom } from "../../../tooling/testing/seededRandom.ts"
import { Client, RetrySettings, Store, Swap, Transport } from "../src/index.js"
import { ScriptedTransport } from "../src/testing.js"
import { makeFixture } from "./fixture.js"
import { faultOf, flaky, hasty, type Stores } from "./randomFaults.js"

const { evmRequest, solanaRequest } = ScriptedTransport

/** Runs one schedule: its problem, how many swaps there were, and how many flows were resumed. */
const schedule = Effect.fnUntraced(function* (index: number) {
  const random = seededRandom(seed ^ 0xb0d6e7, index)
  const request = random.next() < 0.8 ? evmRequest : solanaRequest
  const { originChain: chainId, inputToken: token, walletAddress: wallet, amount } = request
  const service = ScriptedTransport.make()
  service.delegate(chainId, wallet)
  service.ends(random.pick(["settled", "refunded", "failed", "never"] as const), random.below(8_000))
  const store = Effect.runSync(Store.makeMemory)
  const hasNode = random.next() < 0.5
  const readers = hasNode ? service.readers : {}
  const afterRefusal = random.pick(["resume", "trust-service"] as const)
  const most = 1 + random.below(2)
  const rates = { faults: random.pick([0, 0.1, 0.3]), failures: random.pick([0, 0, 0.1]) }
  const returned = new Set<string>()
  let resumes = 0

  /** A process with its own client, which resumes a flow of the store or starts a swap. */
  const process = (serial: number, dead: () => boolean) => {
    const stores: Stores = { failures: rates.failures, slowness: random.pick([0, 500, 4_000]), dead }
    const { layer } = makeFixture({
      service,
      readers,
      policy: { budgets: [{ chainId, token, amount: BigInt(most) * amount }], afterRefusal },
      store: Store.make(flaky(store.records, random, stores))
    })
    const transport = Transport.make((sent) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (dead()) return Effect.never
        if (random.next() < rates.faults) service.next(sent.endpoint, faultOf(random, sent.endpoint, now))
        return service.send(sent)
      })
    )
    const wantsResume = random.next() < 0.6
    return Effect.gen(function* () {
      const flows = wantsResume ? yield* store.flows : []
      const flow = flows.length > 0 ? random.pick(flows) : undefined
      if (!flow) return yield* Client.execute(request, { acceptRequote: () => Effect.succeed(true) })
      resumes++
      return yield* Client.resume(flow.id)
    }).pipe(
      Effect.tap(({ swapId }) => Effect.sync(() => returned.add(swapId))),
      Effect.provideService(Transport.Transport, transport),
      Effect.provide(layer),
      Effect.provideService(RetrySettings.RetrySettings, hasty),
      Random.withSeed(`${seed} ${index} ${serial}`)
    )
  }

  const processes = 3 + random.below(6)
  const running: Array<{ readonly fiber: Fiber.Fiber<unknown>; readonly state: { dead: boolean } }> = []
  for (let serial = 0; serial < processes; serial++) {
    const state = { dead: false }
    const fiber = yield* Effect.forkDetach(Effect.exit(process(serial, () => state.dead)))
    running.push({ fiber, state })
    yield* TestClock.adjust(random.below(random.pick([500, 4_000])))
    if (random.next() < 0.6) {
      const target = random.pick(running)
      // Killed: its calls have no effect. Aborted: it cleans up.
      if (random.next() < 0.3) target.state.dead = true
      yield* Effect.forkDetach(Fiber.interrupt(target.fiber))
    }
    if (random.next() < 0.1) yield* TestClock.adjust(random.below(200_000))
  }
  for (let second = 0; second < 60; second += 2) yield* TestClock.adjust(2_000)
  const live = service.swaps.filter(({ status }) => status !== "failed").length
  if (live > most) return { wrong: `${live} swaps of a budget for ${most}`, swaps: live, resumes }

  for (const { fiber } of running) yield* Effect.forkDetach(Fiber.interrupt(fiber))
  yield* TestClock.adjust(60_000)
  const { layer } = makeFixture({ service, store })
  for (const { id, swapId } of yield* store.flows) {
    if (swapId !== undefined) returned.add(swapId)
    const resuming = Effect.provide(Client.resume(id, { timeout: 5_000 }), layer)
    const fiber = yield* Effect.forkDetach(Effect.result(resuming))
    for (let second = 0; second < 60 && fiber.pollUnsafe() === undefined; second++) yield* TestClock.adjust(1_000)
    const result = yield* Fiber.join(fiber)
    const found = result._tag === "Success" ? result.success : result.failure
    if ("swapId" in found && found.swapId !== undefined) returned.add(found.swapId)
  }
  // A refusal that is trusted may be a lie. An own node may show that a swap in progress can no longer be executed.
  const mayLose = afterRefusal === "trust-service" || hasNode
  const lost = service.swaps.find((swap) => !mayLose && !Swap.isTerminal(swap) && !returned.has(swap.swapId))
  return { wrong: lost ? `nothing leads to the swap ${lost.swapId}` : undefined, swaps: live, resumes }
}, Effect.provide(TestClock.layer()))

const schedules = Math.ceil(runs / 20)

describe(`fuzzing a budget with seed ${seed}`, () => {
  it.effect(
    `is never exceeded, and no swap is lost, in ${schedules} schedules`,
    () =>
      Effect.gen(function* () {
        let [swaps, resumes] = [0, 0]
        for (const index of casesOf(schedules)) {
          const result = yield* schedule(index)
          if (result.wrong !== undefined) expect.fail(`${result.wrong}; ${repeat(index)}`)
          swaps += result.swaps
          resumes += result.resumes
        }
        // A schedule in which nothing works proves nothing.
        if (isWhole && schedules >= 25) {
          expect(swaps).toBeGreaterThan(schedules * 0.5)
          expect(resumes).toBeGreaterThan(schedules * 0.5)
        }
      }),
    Math.max(120_000, schedules * 400)
  )
})
