/**
 * No schedule of faults, retries, aborts and killed processes with an idempotency key leads to a second swap,
 * or to a second signature while the first may still be used.
 *
 * `FUZZ_SEED` sets the first case and `FUZZ_CASE` the only one. A schedule takes as long as 25 cases of other fuzz
 * tests, so there is one for every 20 of `FUZZ_RUNS`.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import { casesOf, seededRandom, isWhole, repeat, runs, seed } from "../../../tooling/testing/seededRandom.ts"
import { Client, RetrySettings, Store, type Signer, Transport } from "../src/index.js"
import { ScriptedTransport, TestSigner } from "../src/testing.js"
import { makeFixture } from "./fixture.js"
import { faultOf, flaky, hasty, type Stores } from "./randomFaults.js"

const { evmRequest, solanaRequest } = ScriptedTransport

/** Runs one schedule: its problem, and whether there was a swap. */
const schedule = Effect.fnUntraced(function* (index: number) {
  const random = seededRandom(seed ^ 0x1de, index)
  const request = random.next() < 0.8 ? evmRequest : solanaRequest
  const service = ScriptedTransport.make()
  if (random.next() < 0.6) service.delegate(request.originChain, request.walletAddress)
  service.ends(random.pick(["settled", "settled", "refunded", "failed", "never"] as const), random.below(8_000))
  const store = Effect.runSync(Store.makeMemory)
  const readers = random.next() < 0.5 ? service.readers : {}
  const rates = { faults: random.pick([0, 0.1, 0.3, 0.5]), failures: random.pick([0, 0, 0.1]) }
  const slowness = random.pick([0, 500, 3_000])
  const wrong: Array<string> = []
  const found = new Set<string>()

  /** All signatures. A chain executes at most one of those with the same name. */
  const signed = new Map<string, { readonly name: string; readonly until: number }>()
  const left = new Map<string, number>()
  const submissions = new Map<string, Transport.HttpRequest>()
  let calm = false

  /** Another signature is only allowed if it excludes the earlier ones, or if they have expired. */
  const checkSignature = (name: string, now: number) => {
    for (const [other, until] of left) {
      if (other !== name && now < until) wrong.push(`${name} was signed while ${other} may be executed`)
    }
  }
  const send: Transport.Send = (sent) =>
    Effect.suspend(() => {
      const body = JSON.parse(sent.body ?? "{}") as Readonly<Record<string, string>>
      const known = signed.get(body["signature"] ?? body["signedTransaction"] ?? "")
      if (known) {
        left.set(known.name, known.until)
        submissions.set(known.name + sent.body, sent)
      }
      return Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (!calm && random.next() < rates.faults) service.next(sent.endpoint, faultOf(random, sent.endpoint, now))
        return service.send(sent)
      })
    })

  const [evm, solana] = [TestSigner.evm(), TestSigner.solana()]
  const signers: Signer.Signers["Service"] = {
    evm: {
      ...evm,
      signOperation: Effect.fnUntraced(function* (operation) {
        const signature = yield* evm.signOperation(operation)
        const { nonce = 0n, deadline = 0 } = operation.geoOp ?? {}
        signed.set(signature, { name: `nonce ${nonce}`, until: deadline * 1000 })
        checkSignature(`nonce ${nonce}`, yield* Clock.currentTimeMillis)
        return signature
      })
    },
    solana: {
      ...solana,
      signTransaction: Effect.fnUntraced(function* (transaction) {
        const bytes = yield* solana.signTransaction(transaction)
        const now = yield* Clock.currentTimeMillis
        // The scripted chain accepts a transaction for 90 s after its build, which was at most 30 s ago.
        const name = `transaction ${bytes.slice(4, 20)}`
        signed.set(bytes, { name, until: now + 60_000 })
        checkSignature(name, now)
        return bytes
      })
    }
  }

  /** A process that runs the order once, with its own client. */
  const process = (serial: number, dead: () => boolean) => {
    const stores: Stores = { failures: calm ? 0 : rates.failures, slowness: calm ? 0 : slowness, dead }
    const { layer } = makeFixture({
      service,
      readers,
      signers,
      store: Store.make(flaky(store.records, random, stores))
    })
    const transport = Transport.make((sent) => (dead() ? Effect.never : send(sent)))
    return Client.execute(request, { idempotencyKey: "order", acceptRequote: () => Effect.succeed(true) }).pipe(
      Effect.tap(({ swapId }) => Effect.sync(() => found.add(swapId))),
      Effect.provideService(Transport.Transport, transport),
      Effect.provide(layer),
      Effect.provideService(RetrySettings.RetrySettings, hasty),
      Random.withSeed(`${seed} ${index} ${serial}`)
    )
  }

  let serial = 0
  const rounds = 1 + random.below(3)
  for (let round = 0; round < rounds; round++) {
    const running = yield* Effect.forEach(
      Array.from({ length: random.pick([1, 1, 2, 3]) }),
      Effect.fnUntraced(function* () {
        const state = { dead: false }
        const fiber = yield* Effect.forkDetach(Effect.exit(process(serial++, () => state.dead)))
        const end = random.pick(["run", "run", "abort", "kill"] as const)
        return { state, fiber, end, at: random.below(20) }
      })
    )
    for (let second = 0; second < 40; second += 2) {
      if (running.every(({ state, fiber }) => state.dead || fiber.pollUnsafe() !== undefined)) break
      for (const { state, fiber, end, at } of running) {
        if (end === "run" || at < second || at >= second + 2) continue
        // Killed: its calls have no effect. Aborted: it cleans up.
        if (end === "kill") state.dead = true
        yield* Effect.forkDetach(Fiber.interrupt(fiber))
      }
      yield* TestClock.adjust(2_000)
    }
    for (const { state, fiber } of running) {
      state.dead = true
      yield* Effect.forkDetach(Fiber.interrupt(fiber))
    }
    if (random.next() < 0.3) yield* TestClock.adjust(random.below(200_000))
  }

  calm = true
  const last = yield* Effect.forkDetach(Effect.exit(process(serial, () => false)))
  for (let second = 0; second < 120 && last.pollUnsafe() === undefined; second += 2) yield* TestClock.adjust(2_000)
  if (last.pollUnsafe() === undefined) wrong.push("the last attempt never ends")
  yield* Effect.forkDetach(Fiber.interrupt(last))
  const swaps = service.swaps
  const live = swaps.filter(({ status }) => status !== "failed").length
  if (live > 1) wrong.push(`${live} swaps`)
  if (found.size > 1) wrong.push(`${found.size} swaps were returned`)
  // The service answers a replay with the swap that it made. Of a nonce there is a second one only if the first failed.
  const names = new Set<string>()
  for (const [key, sent] of submissions) {
    const { body } = yield* Effect.orDie(service.send(sent))
    const { swapId } = JSON.parse(body) as { readonly swapId?: string }
    if (swaps.some((swap) => swap.swapId === swapId)) names.add(key.slice(0, key.indexOf("{")))
  }
  if (names.size > 1) wrong.push(`swaps of ${[...names].join(" and ")}`)
  return { wrong, swaps: service.swaps.length, returned: found.size }
}, Effect.provide(TestClock.layer()))

const schedules = Math.ceil(runs / 20)

describe(`fuzzing execute with an idempotency key and seed ${seed}`, () => {
  it.effect(
    `makes no second swap in ${schedules} schedules`,
    () =>
      Effect.gen(function* () {
        let [swaps, returned] = [0, 0]
        for (const index of casesOf(schedules)) {
          const result = yield* schedule(index)
          if (result.wrong.length > 0) expect.fail(`${result.wrong.join("; ")}; ${repeat(index)}`)
          swaps += result.swaps
          returned += result.returned
        }
        // A schedule in which nothing works proves nothing.
        if (isWhole && schedules >= 25) {
          expect(swaps).toBeGreaterThan(schedules * 0.5)
          expect(returned).toBeGreaterThan(schedules * 0.4)
        }
      }),
    // 15 ms each, and many times that on a busy machine.
    Math.max(120_000, schedules * 400)
  )
})
