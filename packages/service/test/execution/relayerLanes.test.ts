import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe } from "vitest"
import { ChainUnavailable } from "../../src/chains/ChainError.js"
import type { EvmChain } from "../../src/chains/Chains.js"
import type { PendingCosts, Relayers } from "../../src/chains/Draft.js"
import * as RelayerLanes from "../../src/execution/transactions/chooseRelayer.js"
import type { Lane } from "../../src/store/lanes/LaneStore.js"
import { Conflict, StoreUnavailable } from "../../src/store/StoreError.js"
import { plainChain } from "../../src/testing/plainChain.js"

const id = 1
const [one, two, three] = [`0x${"0A".repeat(20)}`, `0x${"0b".repeat(20)}`, `0x${"0C".repeat(20)}`] as const

const setUp = Effect.fnUntraced(function* (relayers: Relayers, stored: ReadonlyArray<Partial<Lane>>) {
  const state = {
    reads: 0,
    stored,
    /** What the database has by nonce, of all relayers. */
    signed: new Map<string, ReadonlyArray<bigint>>()
  }
  const signedBy = (relayer: string) => state.signed.get(relayer.toLowerCase()) ?? []
  const plain = plainChain({
    family: "evm",
    id,
    name: "A",
    tokens: [],
    costOf: () => Effect.succeed(0n),
    balanceOf: () => Effect.succeed(0n)
  })
  if (plain.family !== "evm") return yield* Effect.die("It is an EVM chain.")
  const chain: EvmChain = { ...plain, relayers, relayer: relayers[0] }
  const lanes = yield* RelayerLanes.make({
    lanes: {
      all: Effect.sync(() => {
        state.reads++
        return state.stored.map((lane) => ({
          chainId: id,
          relayer: "",
          pending: 0,
          unfinished: 0,
          pendingCost: 0n,
          ...lane
        }))
      }),
      next: (_, relayer, since) =>
        Effect.sync(() => {
          const costs = signedBy(relayer)
          return { nonce: costs.length, cost: costs.slice(since).reduce((sum, cost) => sum + cost, 0n) }
        }),
      retire: () => Effect.die("unused"),
      restore: () => Effect.die("unused")
    }
  })
  /** Adds a transaction of a relayer to the database. */
  const store = (relayer: string, cost: bigint) =>
    Effect.sync(() => void state.signed.set(relayer.toLowerCase(), [...signedBy(relayer), cost]))
  /** The database counts all transactions. */
  const countAll = () => {
    state.stored = relayers.map((relayer) => ({
      relayer: relayer.toLowerCase(),
      pendingCost: signedBy(relayer).reduce((sum, cost) => sum + cost, 0n),
      nextNonce: signedBy(relayer).length
    }))
  }
  return { chain, state, lanes, order: lanes.order(chain), store, countAll }
})

type SetUp = Effect.Success<ReturnType<typeof setUp>>

const tooPoor = new ChainUnavailable({ chainId: id, message: "No relayer can pay.", timeout: false })

/** Chooses like a chain: the first relayer whose balance covers the cost and what is pending. */
const choose = (pending: PendingCosts, relayers: Relayers, cost: bigint, balance: bigint) =>
  Effect.suspend(() => {
    const found = relayers.find((relayer) => balance - pending.of(relayer) >= cost)
    if (found === undefined) return Effect.fail(tooPoor)
    pending.add(found, cost, balance)
    return Effect.succeed(found)
  })

/** Signs a transaction that costs 10 with a relayer that has 25, and returns that relayer and the nonce. */
const sign = ({ chain, lanes, store }: SetUp, before: Effect.Effect<void> = Effect.void) =>
  lanes.signing(chain, ({ pending, withNonce }) =>
    Effect.gen(function* () {
      const relayer = yield* choose(pending, chain.relayers, 10n, 25n)
      yield* before
      return yield* withNonce(relayer, (nonce) => Effect.as(store(relayer, 10n), [relayer, nonce] as const))
    })
  )

/** Lets other fibers run until they wait. */
const turns = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })

describe("the order of a chain's relayers", () => {
  it.effect("needs no database if there is only one", () =>
    Effect.gen(function* () {
      const { order, state } = yield* setUp([one], [])
      expect(yield* order).toEqual([one])
      expect(state.reads).toBe(0)
    })
  )

  it.effect("prefers those with fewer pending transactions, and counts its own choices", () =>
    Effect.gen(function* () {
      const { order, state } = yield* setUp(
        [one, two, three],
        [
          { relayer: one.toLowerCase(), pending: 2 },
          { relayer: two.toLowerCase(), pending: 1 }
        ]
      )
      const chosen: Array<string> = []
      for (let round = 0; round < 6; round++) chosen.push((yield* order)[0])
      expect(chosen).toEqual([three, two, three, one, two, three])
      expect(state.reads).toBe(1)
      yield* TestClock.adjust("2 seconds")
      expect(yield* order).toEqual([three, two, one])
      expect(state.reads).toBe(2)
    })
  )

  it.effect("puts those with a stuck transaction last", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { order } = yield* setUp(
        [one, two],
        [
          { relayer: one.toLowerCase(), pending: 1, oldestAt: 1_000_000 - 30_001 },
          { relayer: two.toLowerCase(), pending: 50, oldestAt: 1_000_000 - 30_000 }
        ]
      )
      expect(yield* order).toEqual([two, one])
    })
  )

  it.effect("contains no retired relayer, and is an error if all are retired", () =>
    Effect.gen(function* () {
      const { order, state } = yield* setUp([one, two], [{ relayer: one.toLowerCase(), retiredAt: 1 }])
      expect(yield* order).toEqual([two])
      state.stored = [
        { relayer: one.toLowerCase(), retiredAt: 1 },
        { relayer: two.toLowerCase(), retiredAt: 1 }
      ]
      yield* TestClock.adjust("2 seconds")
      expect(yield* Effect.flip(order)).toMatchObject({
        _tag: "ChainUnavailable",
        message: expect.stringContaining("geoswap-server relayers restore") as string
      })
    })
  )
})

describe("signing with a relayer", () => {
  it.effect("holds up only the same relayer on the same chain", () =>
    Effect.gen(function* () {
      const { chain, lanes } = yield* setUp([one, two], [])
      const signWith = <A>(relayer: string, write: Effect.Effect<A>) =>
        lanes.signing(chain, ({ withNonce }) => withNonce(relayer, () => write))
      const stuck = yield* Effect.forkChild(signWith(one, Effect.never))
      yield* turns
      expect(yield* signWith(two, Effect.succeed("two"))).toBe("two")
      const other = { ...chain, id: 2 }
      expect(yield* lanes.signing(other, ({ withNonce }) => withNonce(one, Effect.succeed))).toBe(0)
      const waiting = yield* Effect.forkChild(signWith(one.toLowerCase(), Effect.succeed("one")))
      yield* turns
      expect(waiting.pollUnsafe()).toBeUndefined()
      yield* Fiber.interrupt(stuck)
      expect(yield* Fiber.join(waiting)).toBe("one")
    })
  )

  it.effect("takes another relayer if the pending transactions leave too little, and fails if there is none", () =>
    Effect.gen(function* () {
      const scene = yield* setUp([one, two], [])
      const signed = []
      for (let count = 0; count < 4; count++) signed.push(yield* sign(scene))
      expect(signed).toEqual([
        [one, 0],
        [one, 1],
        [two, 0],
        [two, 1]
      ])
      expect(yield* Effect.flip(sign(scene))).toBe(tooPoor)
      // All of it was signed here since the counts were read.
      expect(scene.state.reads).toBe(1)
      const pending = yield* scene.lanes.pending(scene.chain)
      expect([one, two].map(pending.of)).toEqual([20n, 20n])
      // The same transactions, now counted by the database.
      scene.countAll()
      yield* TestClock.adjust("2 seconds")
      expect([one, two].map((yield* scene.lanes.pending(scene.chain)).of)).toEqual([20n, 20n])
      expect(scene.state.reads).toBe(2)
      // The first transaction is final.
      scene.state.stored = [{ relayer: one.toLowerCase(), pendingCost: 10n, nextNonce: 2 }]
      yield* TestClock.adjust("2 seconds")
      expect(yield* sign(scene)).toEqual([one, 2])
    })
  )

  it.effect("counts a transaction from the choice of its relayer on, until it is stored or fails", () =>
    Effect.gen(function* () {
      const scene = yield* setUp([one], [])
      const { chain, lanes } = scene
      const slow = yield* Effect.forkChild(sign(scene, Effect.never))
      yield* turns
      expect(yield* sign(scene)).toEqual([one, 0])
      expect(yield* Effect.flip(sign(scene))).toBe(tooPoor)
      yield* Fiber.interrupt(slow)
      const failing = lanes.signing(chain, ({ pending, withNonce }) =>
        Effect.andThen(
          choose(pending, chain.relayers, 10n, 25n),
          withNonce(one, () => Effect.fail(new StoreUnavailable({ message: "The database does not answer." })))
        )
      )
      expect(yield* Effect.flip(failing)).toMatchObject({ _tag: "StoreUnavailable" })
      expect(yield* sign(scene)).toEqual([one, 1])
      expect(yield* Effect.flip(sign(scene))).toBe(tooPoor)
    })
  )

  it.effect("counts a transaction once when it has been stored", () =>
    Effect.gen(function* () {
      const { chain, lanes, store } = yield* setUp([one], [])
      yield* lanes.signing(chain, ({ pending, withNonce }) =>
        Effect.gen(function* () {
          yield* choose(pending, chain.relayers, 10n, 25n)
          expect(pending.of(one)).toBe(10n)
          yield* withNonce(one, () => store(one, 10n))
          expect(pending.of(one)).toBe(10n)
        })
      )
    })
  )

  it.effect("chooses again if another process has used up what a relayer can pay", () =>
    Effect.gen(function* () {
      const scene = yield* setUp([one, two], [])
      expect(yield* sign(scene)).toEqual([one, 0])
      // Between the choice and the nonce, another process signs with the same relayer.
      let isFirst = true
      const race = Effect.suspend(() => {
        if (!isFirst) return Effect.void
        isFirst = false
        return scene.store(one, 7n)
      })
      expect(yield* sign(scene, race)).toEqual([two, 0])
      expect([one, two].map((yield* scene.lanes.pending(scene.chain)).of)).toEqual([17n, 10n])
      expect(scene.state.reads).toBe(1)
    })
  )

  it.effect("keeps the relayer if what another process has signed leaves enough", () =>
    Effect.gen(function* () {
      const scene = yield* setUp([one, two], [])
      expect(yield* sign(scene, scene.store(one, 15n))).toEqual([one, 1])
      expect((yield* scene.lanes.pending(scene.chain)).of(one)).toBe(25n)
      scene.countAll()
      yield* TestClock.adjust("2 seconds")
      expect((yield* scene.lanes.pending(scene.chain)).of(one)).toBe(25n)
    })
  )

  it.effect("tries the next nonce if another process took it first, but not forever", () =>
    Effect.gen(function* () {
      const { chain, lanes } = yield* setUp([one], [])
      let tries = 0
      const taken = new Conflict({ message: "The nonce is taken.", nonce: true })
      const conflicting = (until: number) =>
        lanes.signing(chain, ({ withNonce }) =>
          withNonce(one, () => Effect.suspend(() => (++tries < until ? Effect.fail(taken) : Effect.succeed(tries))))
        )
      expect(yield* conflicting(3)).toBe(3)
      expect(yield* Effect.flip(conflicting(Infinity))).toBe(taken)
      expect(tries).toBe(3 + 51)
      const changed = new Conflict({ message: "The swap has changed." })
      expect(yield* Effect.flip(lanes.signing(chain, () => Effect.fail(changed)))).toBe(changed)
    })
  )
})
