/** What is lost with a collection, and when the output is given back. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { WalletDelegation } from "../../src/chains/Wallet.js"
import type { LostCollection } from "../../src/domain/LostCollection.js"
import type { EvmOperation, SwapRecord } from "../../src/domain/SwapRecord.js"
import { type Reason, record } from "../../src/execution/steps/losses.js"
import type { Worker } from "../../src/execution/Worker.js"
import { plainChain } from "../../src/testing/plainChain.js"
import { bytes, order } from "../../src/testing/storeContract/fixture.js"
import { replaced, reverts, slow, stuck, succeeds } from "../chains/scriptedChain.js"
import { type Fixture, on, together } from "./batchScenarios.js"

/** Everything that was lost on the origin chain. */
const lostIn = ({ store }: Fixture) => store.losses.since(31_337, 0)

/** Lets time pass until a swap is no longer reserved. Returns how long that took. */
const untilReleased = Effect.fnUntraced(function* ({ swapOf }: Fixture, id: string) {
  for (let millis = 0; millis < 60_000; millis += 250) {
    if (!(yield* swapOf(id)).reserved) return millis
    yield* TestClock.adjust(250)
  }
  return yield* Effect.die(new Error("The output is still reserved."))
})

describe("a collection that reverts", () => {
  it.effect("is a loss from the block that includes it on, and its output is given back", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.fates.push({ ...reverts, finalAfter: 20_000 })
        const id = yield* all.accept()
        yield* all.start()
        expect(yield* untilReleased(all, id)).toBeLessThan(5_000)
        const lost = { swapId: id, method: "delegation", gas: 6n, isStrike: true }
        expect(yield* lostIn(all)).toMatchObject([{ ...lost, isFinal: false }])
        expect(yield* all.ended(id)).toMatchObject({ state: "failed" })
        expect(yield* lostIn(all)).toMatchObject([{ ...lost, isFinal: true }])
      })
    )
  )

  it.effect("is not a strike if the vault is paused", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.fates.push(reverts)
        const id = yield* all.accept()
        yield* all.start()
        yield* TestClock.adjust(500)
        all.origin.script.refusals.collect = "VAULT_PAUSED"
        yield* all.ended(id)
        expect(yield* lostIn(all)).toMatchObject([{ isStrike: false, isFinal: true }])
      })
    )
  )
})

describe("a batch that leaves a swap out", () => {
  /** A swap that was sent in a batch of three, which will leave it out. */
  const sent = Effect.fnUntraced(function* (all: Fixture) {
    all.origin.script.leftOut.add(`collect ${bytes(1)}`)
    const [id] = yield* together(all, { origin: [{ ...succeeds, finalAfter: 30_000 }] })
    if (id === undefined) return yield* Effect.die(new Error("There are swaps."))
    while ((yield* all.swapOf(id)).state !== "origin_sent") yield* TestClock.adjust(250)
    return id
  })

  it.effect("gives its output back if the collection fails after that block, and never collects it", () =>
    on((all) =>
      Effect.gen(function* () {
        const id = yield* sent(all)
        all.origin.script.refusals.collect = "INSUFFICIENT_BALANCE"
        expect(yield* untilReleased(all, id)).toBeLessThan(5_000)
        expect(yield* lostIn(all)).toMatchObject([{ swapId: id, gas: 6n, isStrike: true, isFinal: false }])
        // The wallet gets its money back before the batch is final.
        delete all.origin.script.refusals.collect
        expect(yield* all.ended(id)).toMatchObject({ state: "failed", failureCode: "REVERTED" })
        expect(yield* lostIn(all)).toMatchObject([{ swapId: id, isStrike: true, isFinal: true }])
        const attempts = yield* all.store.attempts(id, "collect")
        expect(attempts).toHaveLength(1)
      })
    )
  )

  it.effect("reserves its output again if the batch is included again, with the input", () =>
    on((all) =>
      Effect.gen(function* () {
        const id = yield* sent(all)
        all.origin.script.refusals.collect = "INSUFFICIENT_BALANCE"
        yield* untilReleased(all, id)
        delete all.origin.script.refusals.collect
        all.origin.script.leftOut.clear()
        expect(yield* all.ended(id)).toMatchObject({ state: "settled" })
        expect(yield* lostIn(all)).toEqual([])
      })
    )
  )

  it.effect("keeps its output if the collection succeeds after that block, and collects it again", () =>
    on((all) =>
      Effect.gen(function* () {
        const id = yield* sent(all)
        yield* TestClock.adjust(10_000)
        expect(yield* all.swapOf(id)).toMatchObject({ state: "origin_sent", reserved: true })
        expect(yield* all.ended(id)).toMatchObject({ state: "settled" })
        expect(yield* lostIn(all)).toEqual([])
      })
    )
  )
})

describe("a collection that waits", () => {
  it.effect("is a loss while it is expected to fail, which is forgotten if it is collected", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.fates.push({ ...slow, includedAfter: 30_000, finalAfter: 60_000 })
        const id = yield* all.accept({}, 1, 600_000)
        yield* all.start()
        yield* TestClock.adjust(1_000)
        all.origin.script.refusals.collect = "INSUFFICIENT_BALANCE"
        for (let second = 0; second < 10; second++) yield* TestClock.adjust(1_000)
        expect(yield* lostIn(all)).toMatchObject([{ swapId: id, gas: 1n, isStrike: false, isFinal: false }])
        expect(yield* all.swapOf(id)).toMatchObject({ reserved: true })
        delete all.origin.script.refusals.collect
        expect(yield* all.ended(id)).toMatchObject({ state: "settled" })
        expect(yield* lostIn(all)).toEqual([])
      })
    )
  )

  it.effect("is canceled at once if all nodes refuse the wallet's authorization, which is the wallet's fault", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.refusesCollections = true
        const id = yield* all.accept()
        yield* all.start()
        for (let second = 0; second < 8; second++) yield* TestClock.adjust(1_000)
        const [attempt, cancellation] = yield* all.store.attempts(id, "collect")
        expect(cancellation).toMatchObject({ cancels: true, nonce: attempt?.nonce })
        expect((cancellation?.createdAt ?? Infinity) - (attempt?.createdAt ?? 0)).toBeLessThan(4_000)
        all.origin.script.refusesCollections = false
        expect(yield* all.ended(id)).toMatchObject({ state: "settled" })
        // The cancellation is final, so it counts although the input was collected later.
        expect(yield* lostIn(all)).toMatchObject([{ gas: 21_000n, isStrike: true, isFinal: true }])
      })
    )
  )

  it.effect("is not the wallet's fault if it is canceled for another reason", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.fates.push({ ...stuck, includedAfter: 1_000 })
        const id = yield* all.accept({}, 1, 20_000)
        yield* all.start()
        expect(yield* all.ended(id)).toMatchObject({ state: "failed", failureCode: "OPERATION_EXPIRED" })
        expect(yield* lostIn(all)).toMatchObject([{ gas: 21_000n, isStrike: false, isFinal: true }])
      })
    )
  )

  it.effect("keeps its output while its cancellation is not final", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.fates.push(stuck)
        const id = yield* all.accept({}, 1, 10_000)
        yield* all.start()
        for (let millis = 0; (yield* all.store.attempts(id, "collect")).length < 2; millis += 250) {
          expect(millis).toBeLessThan(60_000)
          yield* TestClock.adjust(250)
        }
        // Included after a second, and final two seconds later.
        yield* TestClock.adjust(2_000)
        expect(yield* all.swapOf(id)).toMatchObject({ state: "origin_sent", reserved: true })
        expect(yield* lostIn(all)).toEqual([])
        expect(yield* all.ended(id)).toMatchObject({ state: "failed" })
      })
    )
  )

  it.effect("costs nothing that counts if another transaction used the relayer's nonce", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.fates.push(replaced)
        const id = yield* all.accept()
        yield* all.start()
        expect(yield* all.ended(id)).toMatchObject({ state: "settled" })
        expect(yield* lostIn(all)).toEqual([])
      })
    )
  )
})

describe("a recorded loss", () => {
  const deadline = 1_000
  const target = `0x${"c".repeat(40)}` as const

  const recorded = Effect.fnUntraced(function* (
    reason: Reason,
    {
      time = deadline,
      delegatedTo,
      ...over
    }: Partial<EvmOperation> & { readonly time?: number; readonly delegatedTo?: `0x${string}` } = {}
  ) {
    const losses: Array<LostCollection> = []
    const nothing = () => Effect.succeed(0n)
    const plain = plainChain({ family: "evm", id: 1, name: "one", tokens: [], costOf: nothing, balanceOf: nothing })
    const delegation: WalletDelegation = {
      delegation: "foreign",
      ...(delegatedTo !== undefined && { delegatedTo })
    }
    const worker = {
      chains: new Map([[1, { ...plain, walletState: () => Effect.succeed({ ...delegation, nonce: 0 }) }]]),
      store: {
        losses: { record: (lost: LostCollection) => Effect.sync(() => losses.push(lost) > 0) }
      }
    } as unknown as Worker
    const { operation, ...rest } = order(1, { originChain: 1 })
    if (operation._tag !== "evm") return yield* Effect.die("The order is of an EVM wallet.")
    const swap: SwapRecord = {
      ...rest,
      operation: { ...operation, deadline, ...over },
      state: "origin_sent",
      version: 1,
      updatedAt: 0,
      reserved: true
    }
    yield* record(worker, swap, { hash: "0x1", gas: 6n, isFinal: true, time }, reason)
    const [lost] = losses
    return { isStrike: lost?.isStrike, target: lost?.target }
  })

  it.effect("is a strike only if the block was in time, and neither the vault nor the token was paused", () =>
    Effect.gen(function* () {
      const strike = (reason: Reason, over?: Parameters<typeof recorded>[1]) =>
        Effect.map(recorded(reason, over), ({ isStrike }) => isStrike)
      const reason = { code: "REVERTED" } as const
      expect(yield* strike(reason)).toBe(true)
      expect(yield* strike(reason, { time: deadline + 1 })).toBe(false)
      // The deadline of an EIP-3009 authorization is exclusive.
      expect(yield* strike(reason, { method: "eip3009" })).toBe(false)
      expect(yield* strike(reason, { method: "eip3009", time: deadline - 1 })).toBe(true)
      expect(yield* strike({ code: "VAULT_PAUSED" })).toBe(false)
      expect(yield* strike({ code: "REVERTED", tokenPaused: true })).toBe(false)
    })
  )

  it.effect("names the wallet's contract only if it rejected the signature and is still the wallet's code", () =>
    Effect.gen(function* () {
      const refused = { code: "REVERTED", signatureRefused: true } as const
      expect(yield* recorded(refused, { target, delegatedTo: target })).toMatchObject({ target })
      const other = `0x${"d".repeat(40)}` as const
      expect((yield* recorded(refused, { target, delegatedTo: other })).target).toBeUndefined()
      expect((yield* recorded(refused, { target })).target).toBeUndefined()
      expect((yield* recorded({ code: "REVERTED" }, { target, delegatedTo: target })).target).toBeUndefined()
    })
  )
})
