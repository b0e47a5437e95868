/** Part of the store contract: transactions that several swaps share. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Attempt, SwapRecord } from "../../domain/SwapRecord.js"
import type { Store } from "../../store/Store.js"
import type { Intent } from "../../store/swaps/Change.js"
import { equals, matches } from "../contractAssertions.js"
import { attempt, me, order, relayer, to, working } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const intent = (attempt: Attempt): Intent => ({ kind: "collect", chainId: 31_337, signer: relayer, attempt })

/** Accepts and claims three swaps, of which no nonce is taken yet. */
const three = (store: Store) =>
  Effect.gen(function* () {
    equals(yield* store.nextNonce(31_337, relayer), 0)
    return yield* working(store, order(1), order(2), order(3))
  })

const prepared = (swaps: ReadonlyArray<SwapRecord>) => swaps.map((swap) => to(swap, "origin_prepared"))

const attemptsOf = (store: Store, swaps: ReadonlyArray<SwapRecord>) =>
  Effect.forEach(swaps, ({ id }) => store.attempts(id, "collect"))

const idsOf = (swaps: ReadonlyArray<SwapRecord>) => swaps.map(({ id }) => id)

/** What the store has about swaps, to see that nothing was written. */
const contentsOf = (store: Store, swaps: ReadonlyArray<SwapRecord>) =>
  Effect.all({
    swaps: Effect.forEach(swaps, ({ id }) => store.swap(id)),
    attempts: attemptsOf(store, swaps),
    events: Effect.forEach(swaps, ({ id }) => store.events(id)),
    members: Effect.forEach(swaps, ({ id }) => store.batches.members(id, "collect")),
    next: store.nextNonce(31_337, relayer)
  })

export const batchesCases: ReadonlyArray<Case> = group("batches", [
  test("store one transaction for each of their swaps, and take one nonce", (store) =>
    Effect.gen(function* () {
      const swaps = yield* three(store)
      // The results are in the order of the items, whatever that order is.
      const items = prepared(swaps).toReversed()
      const written = yield* store.batches.write(items, intent(attempt(1)))
      equals(idsOf(written), idsOf(swaps).toReversed())
      for (const swap of written) {
        matches(swap, { state: "origin_prepared", version: 1, reserved: true })
        equals(yield* store.swap(swap.id), Option.some(swap))
        equals((yield* store.events(swap.id)).map(({ detail }) => detail).slice(1), ["now origin_prepared"])
        equals(idsOf(yield* store.batches.members(swap.id, "collect")), idsOf(swaps))
        equals(yield* store.batches.members(swap.id, "deliver"), [])
      }
      equals(yield* attemptsOf(store, swaps), [[attempt(1)], [attempt(1)], [attempt(1)]])
      equals(yield* store.nextNonce(31_337, relayer), 1)
      const [lane] = yield* store.lanes.all
      matches(lane, { pending: 1, unfinished: 3, oldestAt: attempt(1).createdAt })
    })),

  test("write nothing if one of their swaps has changed, and name that swap", (store) =>
    Effect.gen(function* () {
      const swaps = yield* three(store)
      for (const [index, swap] of swaps.entries()) {
        const before = yield* contentsOf(store, swaps)
        const stale = swaps.map((one, other) => (other === index ? { ...one, version: 7 } : one))
        const refused = yield* Effect.flip(store.batches.write(prepared(stale), intent(attempt(1))))
        matches(refused, { _tag: "Conflict", swapId: swap.id })
        equals(yield* contentsOf(store, swaps), before)
      }
    })),

  test("write nothing if another worker holds one of their swaps", (store) =>
    Effect.gen(function* () {
      const [first, second, third] = yield* three(store)
      if (first === undefined || second === undefined || third === undefined) return
      yield* store.release(me, [third.id])
      yield* store.claimOne({ id: third.id, owner: "worker-2", leaseMillis: 60_000 })
      const before = yield* contentsOf(store, [first, second, third])
      const refused = yield* Effect.flip(store.batches.write(prepared([first, second, third]), intent(attempt(1))))
      matches(refused, { _tag: "Conflict", swapId: third.id })
      equals(yield* contentsOf(store, [first, second, third]), before)
      equals((yield* store.batches.write(prepared([first, second]), intent(attempt(1)))).length, 2)
    })),

  test("write nothing if the nonce is not the relayer's next nonce", (store) =>
    Effect.gen(function* () {
      const swaps = yield* three(store)
      const before = yield* contentsOf(store, swaps)
      const late = intent(attempt(1, { nonce: 1 }))
      matches(yield* Effect.flip(store.batches.write(prepared(swaps), late)), { _tag: "Conflict", nonce: true })
      equals(yield* contentsOf(store, swaps), before)
    })),

  test("without a nonce store one transaction for each of their swaps, or nothing", (store) =>
    Effect.gen(function* () {
      const swaps = yield* three(store)
      const { nonce: _unused, ...shared } = attempt(1, { lastValidBlockHeight: 150n })
      const before = yield* contentsOf(store, swaps)
      const stale = swaps.map((swap, index) => (index === 2 ? { ...swap, version: 7 } : swap))
      const refused = yield* Effect.flip(store.batches.write(prepared(stale), intent(shared)))
      matches(refused, { _tag: "Conflict", swapId: swaps[2]?.id })
      equals(yield* contentsOf(store, swaps), before)
      const written = yield* store.batches.write(prepared(swaps), intent(shared))
      for (const swap of written) matches(swap, { state: "origin_prepared", version: 1 })
      equals(yield* attemptsOf(store, swaps), [[shared], [shared], [shared]])
      // No nonce was taken, neither here nor when a swap is signed again.
      const [first] = written
      if (first === undefined) return
      const { nonce: _other, ...alone } = attempt(2)
      yield* store.change(to(first, "origin_prepared", { intent: intent(alone) }))
      equals(yield* store.attempts(first.id, "collect"), [shared, alone])
      equals(yield* store.nextNonce(31_337, relayer), 0)
    })),

  test("and single transactions compete for a nonce: one of them gets it", (store) =>
    Effect.gen(function* () {
      yield* store.nextNonce(31_337, relayer)
      const [first, second, third, alone] = yield* working(store, order(1), order(2), order(3), order(4))
      if (first === undefined || second === undefined || third === undefined || alone === undefined) return
      const all = yield* Effect.all(
        [
          Effect.result(Effect.asVoid(store.batches.write(prepared([first, second]), intent(attempt(1))))),
          Effect.result(Effect.asVoid(store.change(to(alone, "origin_prepared", { intent: intent(attempt(2)) })))),
          Effect.result(Effect.asVoid(store.change(to(third, "origin_prepared", { intent: intent(attempt(3)) }))))
        ],
        { concurrency: "unbounded" }
      )
      const failures = all.flatMap((one) => (Result.isFailure(one) ? [one.failure] : []))
      equals(failures.length, 2)
      for (const failure of failures) matches(failure, { _tag: "Conflict", nonce: true })
      equals(yield* store.nextNonce(31_337, relayer), 1)
    })),

  test("store a replacement for all of their swaps, whichever of them changes", (store) =>
    Effect.gen(function* () {
      const swaps = yield* three(store)
      const written = yield* store.batches.write(prepared(swaps), intent(attempt(1)))
      const bump = attempt(2, { maxFeePerGas: 9n })
      const [first, , last] = written
      if (first === undefined || last === undefined) return
      const replaced = yield* store.batches.replace(to(last, "origin_sent"), intent(bump), attempt(1).hash)
      matches(replaced, { _tag: "Replaced", swap: { id: last.id, state: "origin_sent", version: 2 } })
      equals(
        yield* attemptsOf(store, swaps),
        swaps.map(() => [attempt(1), bump])
      )
      // The others are as they were, and only the nonce's attempts have changed.
      equals(yield* store.swap(first.id), Option.some(first))
      const cancel = attempt(3, { cancels: true })
      const again = yield* store.batches.replace(to(first, "origin_sent"), intent(cancel), bump.hash)
      matches(again, { _tag: "Replaced", swap: { id: first.id, version: 2 } })
      equals(
        yield* attemptsOf(store, swaps),
        swaps.map(() => [attempt(1), bump, cancel])
      )
      equals(yield* store.nextNonce(31_337, relayer), 1)
    })),

  test("store one of several concurrent replacements", (store) =>
    Effect.gen(function* () {
      const swaps = yield* three(store)
      const written = yield* store.batches.write(prepared(swaps), intent(attempt(1)))
      const results = yield* Effect.forEach(
        written,
        (swap, index) => store.batches.replace(to(swap, "origin_sent"), intent(attempt(10 + index)), attempt(1).hash),
        { concurrency: "unbounded" }
      )
      const winner = results.findIndex(({ _tag }) => _tag === "Replaced")
      equals(
        results.map(({ _tag }) => _tag),
        written.map((_, index) => (index === winner ? "Replaced" : "AlreadyReplaced"))
      )
      equals(
        yield* attemptsOf(store, swaps),
        swaps.map(() => [attempt(1), attempt(10 + winner)])
      )
      for (const [index, swap] of written.entries()) {
        const stored = yield* Effect.flatMap(store.swap(swap.id), Effect.fromOption)
        equals(stored.version, index === winner ? 2 : 1)
      }
    })),

  test("write no replacement if the swap has changed", (store) =>
    Effect.gen(function* () {
      const swaps = yield* three(store)
      const [first] = yield* store.batches.write(prepared(swaps), intent(attempt(1)))
      if (first === undefined) return
      const before = yield* contentsOf(store, swaps)
      const stale = to({ ...first, version: 0 }, "origin_sent")
      const refused = yield* Effect.flip(store.batches.replace(stale, intent(attempt(2)), attempt(1).hash))
      matches(refused, { _tag: "Conflict" })
      equals(yield* contentsOf(store, swaps), before)
      matches(yield* store.batches.replace(to(first, "origin_sent"), intent(attempt(3)), attempt(1).hash), {
        _tag: "Replaced"
      })
    })),

  test("store no replacement for a swap that was signed again", (store) =>
    Effect.gen(function* () {
      const swaps = yield* three(store)
      const [first, second, third] = yield* store.batches.write(prepared(swaps), intent(attempt(1)))
      if (first === undefined || second === undefined || third === undefined) return
      const alone = attempt(5, { nonce: 1 })
      yield* store.change(to(second, "origin_prepared", { intent: intent(alone) }))
      equals(yield* store.nextNonce(31_337, relayer), 2)
      yield* store.batches.replace(to(third, "origin_sent"), intent(attempt(2)), attempt(1).hash)
      equals(yield* attemptsOf(store, swaps), [
        [attempt(1), attempt(2)],
        [attempt(1), alone],
        [attempt(1), attempt(2)]
      ])
      // The swap has its own nonce, like any other.
      const bumped = attempt(6, { nonce: 1 })
      const current = yield* Effect.flatMap(store.swap(second.id), Effect.fromOption)
      yield* store.change(to(current, "origin_sent", { intent: intent(bumped) }))
      equals(yield* store.attempts(second.id, "collect"), [attempt(1), alone, bumped])
      equals(yield* store.nextNonce(31_337, relayer), 2)
    }))
])
