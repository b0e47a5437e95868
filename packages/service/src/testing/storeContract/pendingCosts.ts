/** Part of the store contract: the most that relayers' pending transactions may cost. */
import * as Effect from "effect/Effect"
import { addressKey } from "../../domain/addressKey.js"
import type { Attempt } from "../../domain/SwapRecord.js"
import type { Store } from "../../store/Store.js"
import type { Intent } from "../../store/swaps/Change.js"
import { equals, violated } from "../contractAssertions.js"
import { aMinute, attempt, bytes, me, order, relayer, to, underWay, wallet, working } from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const origin = 31_337
const destination = 31_338
const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"

/** An attempt, and what it may cost. */
const costing = (number: number, maxCost: bigint, over: Partial<Attempt> = {}): Attempt =>
  attempt(number, { maxCost, ...over })

const intent = (attempt: Attempt, over: Partial<Intent> = {}): Intent => ({
  kind: "collect",
  chainId: origin,
  signer: relayer,
  attempt,
  ...over
})

/** What the lane of a relayer has pending. */
const pendingOf = (store: Store, chainId = origin, address = relayer) =>
  Effect.map(
    store.lanes.all,
    (lanes) => lanes.find((lane) => lane.chainId === chainId && lane.relayer === addressKey(address))?.pendingCost ?? 0n
  )

const next = (store: Store, since: number, address = relayer) => store.lanes.next(origin, address, since)

/** Accepts, claims and sends a delegation change. */
const sentChange = Effect.fnUntraced(function* (store: Store, first: Attempt) {
  const word = `0x${"5b".repeat(32)}` as const
  const target = "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
  const authorization = { chainId: origin, address: target, nonce: 0, yParity: 0, r: word, s: word } as const
  yield* store.delegations.accept(
    { id: "change-1", accountId: "account-1", wallet, authorization, gas: 60_000, createdAt: 0 },
    { gas: 120_000, kept: 0, periodMillis: aMinute }
  )
  const [change] = yield* store.delegations.claim({ chainId: origin, owner: me, leaseMillis: aMinute, limit: 1 })
  return change === undefined
    ? violated("claim must return the delegation change that was accepted.")
    : yield* store.delegations.step({ change, to: "sent", intent: { signer: relayer, attempt: first } })
})

export const pendingCostsCases: ReadonlyArray<Case> = group("pending costs", [
  test("are the sum over the relayer's transactions until each is final, however large", (store) =>
    Effect.gen(function* () {
      yield* store.nextNonce(origin, relayer)
      const [one, two] = yield* working(store, order(1), order(2))
      if (one === undefined || two === undefined) return violated("claim must return both swaps.")
      const large = 2n ** 255n
      let first = yield* store.change(to(one, "origin_prepared", { intent: intent(costing(1, large)) }))
      equals(yield* pendingOf(store), large)
      yield* store.change(to(two, "origin_prepared", { intent: intent(costing(2, 9n, { nonce: 1 })) }))
      equals(yield* pendingOf(store), large + 9n)
      // A transaction in a block can still be reorganized out.
      first = yield* store.change(to(first, "origin_sent", { originTxHash: bytes(1), originBlock: 5n }))
      equals(yield* pendingOf(store), large + 9n)
      first = yield* store.change(to(first, "origin_final", { block: 5n }))
      equals(yield* pendingOf(store), 9n)
      // Another chain, and another relayer.
      yield* store.nextNonce(destination, other)
      const deliver = intent(costing(3, 7n), { kind: "deliver", chainId: destination, signer: other })
      first = yield* store.change(to(first, "delivery_prepared", { intent: deliver }))
      equals(yield* pendingOf(store), 9n)
      equals(yield* pendingOf(store, destination, other), 7n)
      yield* store.change(to(first, "settled", { deliveryTxHash: bytes(3), block: 6n }))
      equals(yield* pendingOf(store, destination, other), 0n)
    })),

  test("are those of the most expensive attempt with a nonce, whether it replaces or cancels", (store) =>
    Effect.gen(function* () {
      yield* store.nextNonce(origin, relayer)
      // As text, the first is greater than the second.
      let swap = yield* underWay(store)
      swap = yield* store.change(to(swap, "origin_prepared", { intent: intent(costing(1, 90n)) }))
      swap = yield* store.change(to(swap, "origin_sent", { intent: intent(costing(2, 100n)) }))
      equals(yield* pendingOf(store), 100n)
      const cancel = costing(3, 20n, { cancels: true })
      swap = yield* store.change(to(swap, "origin_sent", { intent: intent(cancel) }))
      // Any of the three can be included.
      equals(yield* pendingOf(store), 100n)
      // The nonce was used by another transaction, so the swap was signed again.
      swap = yield* store.change(to(swap, "origin_prepared", { intent: intent(costing(4, 30n, { nonce: 1 })) }))
      equals(yield* pendingOf(store), 30n)
      yield* store.change(to(swap, "failed"))
      equals(yield* pendingOf(store), 0n)
    })),

  test("count the transaction of a batch once, until all of its swaps have moved on", (store) =>
    Effect.gen(function* () {
      yield* store.nextNonce(origin, relayer)
      const swaps = yield* working(store, order(1), order(2), order(3))
      const items = swaps.map((swap) => to(swap, "origin_prepared"))
      const [one, two, three] = yield* store.batches.write(items, intent(costing(1, 50n)))
      if (one === undefined || two === undefined || three === undefined)
        return violated("write must return the swaps of the batch.")
      equals(yield* pendingOf(store), 50n)
      const bump = intent(costing(2, 60n))
      yield* store.batches.replace(to(two, "origin_sent"), bump, attempt(1).hash)
      equals(yield* pendingOf(store), 60n)
      // The swap that held the nonce is signed again in a separate transaction.
      yield* store.change(to(one, "origin_prepared", { intent: intent(costing(3, 8n, { nonce: 1 })) }))
      equals(yield* pendingOf(store), 68n)
      yield* store.change(to({ ...two, version: two.version + 1 }, "origin_final", { block: 5n }))
      equals(yield* pendingOf(store), 68n)
      yield* store.change(to(three, "origin_final", { block: 5n }))
      equals(yield* pendingOf(store), 8n)
    })),

  test("include delegation changes until they are final", (store) =>
    Effect.gen(function* () {
      yield* store.nextNonce(origin, relayer)
      let change = yield* sentChange(store, costing(1, 40n))
      equals(yield* pendingOf(store), 40n)
      const swap = yield* underWay(store)
      yield* store.change(to(swap, "origin_prepared", { intent: intent(costing(2, 5n, { nonce: 1 })) }))
      equals(yield* pendingOf(store), 45n)
      const step = (to: "accepted" | "sent" | "applied", signed?: Attempt) =>
        store.delegations.step({ change, to, ...(signed && { intent: { signer: relayer, attempt: signed } }) })
      change = yield* step("sent", costing(3, 41n))
      equals(yield* pendingOf(store), 46n)
      const [lane] = yield* store.lanes.all
      equals([lane?.pending, lane?.unfinished], [1, 2])
      // Its nonce was used by another transaction.
      change = yield* step("accepted")
      equals(yield* pendingOf(store), 5n)
      change = yield* step("sent", costing(4, 42n, { nonce: 2 }))
      equals(yield* pendingOf(store), 47n)
      yield* step("applied")
      equals(yield* pendingOf(store), 5n)
    })),

  test("on Solana are those of the newest attempt, because the others have expired", (store) =>
    Effect.gen(function* () {
      const place = { chainId: 900, signer: "ReLayer" }
      const signed = (number: number, maxCost: bigint): Attempt => {
        const { nonce: _, ...rest } = costing(number, maxCost)
        return { ...rest, lastValidBlockHeight: 5n }
      }
      const [one, two, three] = yield* working(store, order(1), order(2), order(3))
      if (one === undefined || two === undefined || three === undefined) return violated("claim must return all swaps.")
      const first = yield* store.change(to(one, "origin_prepared", { intent: intent(signed(1, 90n), place) }))
      yield* store.change(to(first, "origin_prepared", { intent: intent(signed(2, 10n), place) }))
      equals(yield* pendingOf(store, 900, "ReLayer"), 10n)
      // The swaps of a batch have the same transaction.
      yield* store.batches.write(
        [two, three].map((swap) => to(swap, "origin_prepared")),
        intent(signed(3, 7n), place)
      )
      equals(yield* pendingOf(store, 900, "ReLayer"), 17n)
    })),

  test("are 0 for an attempt of which they are not known", (store) =>
    Effect.gen(function* () {
      yield* store.nextNonce(origin, relayer)
      const [one, two] = yield* working(store, order(1), order(2))
      if (one === undefined || two === undefined) return violated("claim must return both swaps.")
      yield* store.change(to(one, "origin_prepared", { intent: intent(attempt(1)) }))
      equals(yield* pendingOf(store), 0n)
      yield* store.change(to(two, "origin_prepared", { intent: intent(costing(2, 3n, { nonce: 1 })) }))
      equals(yield* pendingOf(store), 3n)
    })),

  test("are returned with the next nonce, for the transactions since a nonce", (store) =>
    Effect.gen(function* () {
      equals(yield* next(store, 0), { nonce: 0, cost: 0n })
      yield* sentChange(store, costing(1, 40n))
      equals(yield* next(store, 0), { nonce: 1, cost: 40n })
      equals(yield* next(store, 1), { nonce: 1, cost: 0n })
      const [one, two, three] = yield* working(store, order(1), order(2), order(3))
      if (one === undefined || two === undefined || three === undefined) return violated("claim must return all swaps.")
      const [first] = yield* store.batches.write(
        [one, two].map((swap) => to(swap, "origin_prepared")),
        intent(costing(2, 50n, { nonce: 1 }))
      )
      yield* store.change(to(three, "origin_prepared", { intent: intent(costing(3, 2n ** 200n, { nonce: 2 })) }))
      if (first === undefined) return violated("write must return the swaps of the batch.")
      yield* store.batches.replace(to(first, "origin_sent"), intent(costing(4, 55n, { nonce: 1 })), attempt(2).hash)
      equals(yield* next(store, 0), { nonce: 3, cost: 95n + 2n ** 200n })
      equals(yield* next(store, 1), { nonce: 3, cost: 55n + 2n ** 200n })
      equals(yield* next(store, 2), { nonce: 3, cost: 2n ** 200n })
      equals(yield* next(store, 3), { nonce: 3, cost: 0n })
      equals(yield* next(store, 0, other), { nonce: 0, cost: 0n })
      equals(yield* store.nextNonce(origin, other), 0)
    }))
])
