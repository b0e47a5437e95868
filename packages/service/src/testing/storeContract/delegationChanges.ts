/** Part of the store contract: delegation changes, their gas budget and their transactions. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import type { AcceptedChange, DelegationChange } from "../../domain/DelegationChange.js"
import type { ChangeAcceptance } from "../../store/delegations/DelegationStore.js"
import type { Store } from "../../store/Store.js"
import { equals, holds, matches, violated } from "../contractAssertions.js"
import {
  accept as acceptSwap,
  aMinute,
  attempt,
  me,
  order,
  plenty,
  relayer,
  through,
  underWay,
  wallet
} from "./fixture.js"
import { type Case, group, test } from "./storeCase.js"

const zero = "0x0000000000000000000000000000000000000000"
const target = "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
const chainId = 31_337
const word = `0x${"5b".repeat(32)}` as const
const aDay = 86_400_000

/** A budget for two changes a day. */
const budget = { gas: 120_000, kept: 0, periodMillis: aDay }

interface Over extends Partial<Omit<AcceptedChange, "authorization">> {
  readonly address?: `0x${string}`
  readonly nonce?: number
  readonly chain?: number
}

const changeTo = (number: number, { address = target, chain = chainId, nonce = number, ...over }: Over = {}) =>
  ({
    id: `change-${number}`,
    accountId: "account-1",
    wallet,
    authorization: { chainId: chain, address, nonce, yParity: 0, r: word, s: word },
    gas: 60_000,
    createdAt: 0,
    ...over
  }) satisfies AcceptedChange

const accept = (store: Store, change: AcceptedChange, limit = budget) => store.delegations.accept(change, limit)

/** Accepts a change that must be accepted. */
const accepted = (store: Store, change: AcceptedChange) =>
  Effect.map(accept(store, change), (result): DelegationChange =>
    result._tag === "Inserted" ? result.change : violated(`expected the change to be accepted, got ${result._tag}.`)
  )

const claim = (store: Store, owner = me, limit = 10) =>
  store.delegations.claim({ chainId, owner, leaseMillis: aMinute, limit })

export const delegationChangesCases: ReadonlyArray<Case> = group("delegation changes", [
  test("are stored completely, and can be read by id and by nonce", (store) =>
    Effect.gen(function* () {
      const change = changeTo(1)
      const stored = yield* accepted(store, change)
      matches(stored, { ...change, state: "accepted", version: 0 })
      equals(yield* store.delegations.byId("change-1"), Option.some(stored))
      equals(yield* store.delegations.byId("change-2"), Option.none())
      const key = { chainId, wallet: wallet.toLowerCase(), nonce: 1 }
      equals(yield* store.delegations.byKey(key), Option.some(stored))
      equals(yield* store.delegations.byKey({ ...key, nonce: 2 }), Option.none())
      equals(yield* store.delegations.byKey({ ...key, chainId: 1 }), Option.none())
    })),

  test("are accepted once per wallet, chain and nonce", (store) =>
    Effect.gen(function* () {
      const first = yield* accepted(store, changeTo(1))
      const again = changeTo(2, { nonce: 1, wallet: wallet.toLowerCase() })
      equals(yield* accept(store, again), { _tag: "Existing", change: first })
      equals(yield* accept(store, changeTo(3, { nonce: 1, address: zero })), { _tag: "NonceUsed" })
      equals(yield* accept(store, changeTo(4, { nonce: 1, accountId: "account-2" })), { _tag: "NonceUsed" })
      matches(yield* accept(store, changeTo(5, { nonce: 1, chain: 31_338 })), { _tag: "Inserted" })
      matches(yield* accept(store, changeTo(6, { nonce: 1, wallet: relayer, accountId: "account-2" })), {
        _tag: "Inserted"
      })
    })),

  test("are accepted once, no matter how many requests arrive together", (store) =>
    Effect.gen(function* () {
      const results = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, number) => changeTo(number, { nonce: 1 })),
        (change) => accept(store, change),
        { concurrency: "unbounded" }
      )
      const tags = results.map(({ _tag }: ChangeAcceptance) => _tag).toSorted()
      equals(tags, [...Array.from({ length: 9 }, () => "Existing"), "Inserted"])
    })),

  test("that have failed do not prevent another change with the same nonce", (store) =>
    Effect.gen(function* () {
      const first = yield* accepted(store, changeTo(1))
      yield* store.delegations.step({ change: first, to: "failed", failureCode: "NOT_INCLUDED" })
      matches(yield* accept(store, changeTo(2, { nonce: 1, address: zero })), { _tag: "Inserted" })
      matches(yield* store.delegations.byId("change-1"), Option.some({ state: "failed", failureCode: "NOT_INCLUDED" }))
      matches(yield* store.delegations.byKey({ chainId, wallet, nonce: 1 }), Option.some({ id: "change-2" }))
    })),

  test("are refused until the inputs of the wallet's swaps on the chain have arrived", (store) =>
    Effect.gen(function* () {
      const swap = yield* underWay(store, 1)
      equals(yield* accept(store, changeTo(1, { wallet: wallet.toLowerCase() })), { _tag: "SwapInProgress" })
      matches(yield* accept(store, changeTo(2, { chain: 31_338 })), { _tag: "Inserted" })
      matches(yield* accept(store, changeTo(3, { wallet: relayer })), { _tag: "Inserted" })
      const sent = yield* through(store, swap, "origin_prepared", "origin_sent")
      equals(yield* accept(store, changeTo(1)), { _tag: "SwapInProgress" })
      // Neither a delivery nor a refund needs the delegation.
      yield* through(store, sent, "origin_final", "refund_prepared")
      matches(yield* accept(store, changeTo(1, { accountId: "account-2" })), { _tag: "Inserted" })
      // The order of events does not matter to swaps: a swap is accepted while a change is open.
      matches(yield* acceptSwap(store, order(2), plenty), { _tag: "Inserted" })
    })),

  test("use up the account's gas budget, which is free again after the period", (store) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const first = yield* accepted(store, changeTo(1, { createdAt: 1_000 }))
      yield* store.delegations.step({ change: first, to: "failed", failureCode: "NOT_INCLUDED" })
      yield* TestClock.setTime(2_000)
      yield* accepted(store, changeTo(2, { createdAt: 2_000 }))
      equals(yield* accept(store, changeTo(3)), { _tag: "BudgetUsed", used: 120_000, freeAt: 1_000 + aDay })
      equals(yield* accept(store, changeTo(3, { gas: 120_000 })), {
        _tag: "BudgetUsed",
        used: 120_000,
        freeAt: 2_000 + aDay
      })
      equals(yield* accept(store, changeTo(3, { gas: 120_001 })), { _tag: "BudgetUsed", used: 120_000 })
      matches(yield* accept(store, changeTo(4, { accountId: "account-2" })), { _tag: "Inserted" })
      // A repeated request costs nothing.
      matches(yield* accept(store, changeTo(9, { nonce: 2 })), { _tag: "Existing" })
      yield* TestClock.setTime(1_000 + aDay)
      matches(yield* accept(store, changeTo(3, { createdAt: 1_000 + aDay })), { _tag: "Inserted" })
      matches(yield* accept(store, changeTo(5)), { _tag: "BudgetUsed" })
    })),

  test("keep a part of the budget for wallets that have paid for a swap and remove their delegation", (store) =>
    Effect.gen(function* () {
      const kept = { gas: 180_000, kept: 60_000, periodMillis: aDay }
      const payer = `0x${"ab".repeat(20)}`
      const paying = yield* underWay(store, 1, { wallet: payer })
      yield* through(store, paying, "origin_prepared", "origin_sent", "origin_final")
      // Fresh wallets cost nothing to create, and use up everything else.
      for (const number of [1, 2]) yield* accepted(store, changeTo(number))
      const removal = changeTo(3, { address: zero })
      equals(yield* accept(store, removal, kept), { _tag: "BudgetUsed", used: 120_000, freeAt: aDay })
      equals(yield* accept(store, { ...changeTo(4), wallet: payer }, kept), {
        _tag: "BudgetUsed",
        used: 120_000,
        freeAt: aDay
      })
      matches(yield* accept(store, { ...removal, wallet: payer }, kept), { _tag: "Inserted" })
    })),

  test("are not accepted beyond the budget by requests that arrive together", (store) =>
    Effect.gen(function* () {
      const results = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, number) => changeTo(number)),
        (change) => accept(store, change),
        { concurrency: "unbounded" }
      )
      const inserted = results.filter(({ _tag }) => _tag === "Inserted").length
      holds(inserted === 2, `expected two changes within the budget, got ${inserted}.`)
    })),

  test("are claimed by one worker, until its lease expires", (store) =>
    Effect.gen(function* () {
      for (const number of [1, 2]) yield* accepted(store, changeTo(number, { createdAt: number }))
      const ids = (changes: ReadonlyArray<DelegationChange>) => changes.map(({ id }) => id)
      yield* accepted(store, changeTo(3, { accountId: "account-2", chain: 31_338, createdAt: 0 }))
      equals(ids(yield* claim(store, me, 1)), ["change-1"])
      equals(ids(yield* claim(store)), ["change-1", "change-2"])
      equals(yield* claim(store, "worker-2"), [])
      yield* TestClock.adjust(aMinute + 1)
      equals(ids(yield* claim(store, "worker-2")), ["change-1", "change-2"])
      equals(yield* claim(store), [])
      yield* store.releaseAll
      const [first] = yield* claim(store)
      if (first === undefined) return violated("claim must return released changes.")
      yield* store.delegations.step({ change: first, to: "applied", txHash: "0x1" })
      equals(ids(yield* claim(store)), ["change-2"])
    })),

  test("store their transactions with the relayer's nonces", (store) =>
    Effect.gen(function* () {
      const change = yield* accepted(store, changeTo(1))
      equals(yield* store.nextNonce(chainId, relayer), 0)
      const late = { signer: relayer, attempt: attempt(1, { nonce: 1 }) }
      const conflict = yield* Effect.flip(store.delegations.step({ change, to: "sent", intent: late }))
      matches(conflict, { _tag: "Conflict", nonce: true })
      matches(yield* store.delegations.byId("change-1"), Option.some({ state: "accepted", version: 0 }))
      const first = { signer: relayer, attempt: attempt(1) }
      const sent = yield* store.delegations.step({ change, to: "sent", intent: first })
      matches(sent, { state: "sent", version: 1 })
      equals(yield* store.nextNonce(chainId, relayer), 1)
      const replacement = { signer: relayer, attempt: attempt(2, { cancels: true }) }
      const replaced = yield* store.delegations.step({ change: sent, to: "sent", intent: replacement })
      equals(yield* store.nextNonce(chainId, relayer), 1)
      equals(yield* store.delegations.attempts("change-1"), [first.attempt, replacement.attempt])
      // A swap takes the next nonce, so the two never share one.
      const swap = yield* underWay(store, 1, { wallet: relayer })
      yield* store.change({
        swap,
        owner: me,
        to: "origin_prepared",
        detail: "signed",
        intent: { kind: "collect", chainId, signer: relayer, attempt: attempt(3, { nonce: 1 }) }
      })
      equals(yield* store.nextNonce(chainId, relayer), 2)
      matches(yield* store.delegations.step({ change: replaced, to: "applied", txHash: "0x2" }), {
        state: "applied",
        txHash: "0x2"
      })
    })),

  test("change only from the version that was read, and never once they are terminal", (store) =>
    Effect.gen(function* () {
      const change = yield* accepted(store, changeTo(1))
      const failed = yield* store.delegations.step({ change, to: "failed", failureCode: "INVALID_AUTHORIZATION" })
      for (const stale of [change, failed]) {
        matches(yield* Effect.flip(store.delegations.step({ change: stale, to: "accepted" })), { _tag: "Conflict" })
      }
      equals(yield* store.delegations.byId("change-1"), Option.some(failed))
    }))
])
