/** The second half of a swap: it is paid once, whatever others do, and from the vault that has its input. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Attempt, Kind, SwapRecord } from "../../src/domain/SwapRecord.js"
import { sendJobOf } from "../../src/execution/steps/swapJobs.js"
import type { Worker } from "../../src/execution/Worker.js"
import { plainChain } from "../../src/testing/plainChain.js"
import { attempt, order } from "../../src/testing/storeContract/fixture.js"
import { on, orderId } from "./scenarios.js"

describe("a delivery", () => {
  it.effect("waits, and nothing is refunded, while its simulation shows that the order is paid", () =>
    on(({ accept, destination, ended, paid, start }) =>
      Effect.gen(function* () {
        destination.script.refusals.deliver = "ALREADY_DONE"
        const id = yield* accept()
        yield* start()
        expect(yield* ended(id, 120_000)).toMatchObject({ state: "origin_final" })
        expect(yield* paid).toEqual(["collect"])
      })
    )
  )

  it.effect("is replaced by a refund if its output was given back and is no longer there", () =>
    on(({ accept, destination, ended, paid, start }) =>
      Effect.gen(function* () {
        destination.script.external.set(orderId, { kind: "deliver", hash: undefined })
        const id = yield* accept()
        yield* start()
        expect(yield* ended(id, 60_000)).toMatchObject({ reserved: false })
        destination.script.inventory = 0n
        destination.script.external.delete(orderId)
        expect(yield* ended(id)).toMatchObject({ state: "refunded", failureCode: "INSUFFICIENT_INVENTORY" })
        expect(yield* paid).toEqual(["collect", "refund"])
      })
    )
  )
})

describe("a refund", () => {
  it.effect("is signed once, even if a process dies before it is sent", () =>
    on(({ accept, ended, start, store, venue }) =>
      Effect.gen(function* () {
        venue.price = 2n
        const id = yield* accept()
        const process = { isDead: false }
        yield* start((name) => {
          if (process.isDead || name !== "before broadcast refund") return undefined
          process.isDead = true
          return "kill"
        })
        while (!process.isDead) yield* TestClock.adjust(250)
        yield* start()
        expect(yield* ended(id)).toMatchObject({ state: "refunded" })
        expect(yield* store.attempts(id, "refund")).toHaveLength(1)
      })
    )
  )

  it.effect("is not signed if the vault's owner has refunded the input in the meantime", () =>
    on(({ accept, ended, origin, paid, start, store, swapOf, venue }) =>
      Effect.gen(function* () {
        venue.price = 2n
        origin.script.refusals.refund = "INSUFFICIENT_BALANCE"
        const id = yield* accept()
        yield* start()
        while ((yield* swapOf(id)).state !== "refund_prepared") yield* TestClock.adjust(250)
        origin.script.external.set(orderId, { kind: "refund", hash: "0xowner" })
        delete origin.script.refusals.refund
        const { failureCode, refundTxHash, state } = yield* ended(id)
        expect({ failureCode, refundTxHash, state }).toEqual({
          failureCode: "SLIPPAGE",
          refundTxHash: "0xowner",
          state: "refunded"
        })
        expect(yield* store.attempts(id, "refund")).toEqual([])
        expect(yield* paid).toEqual(["collect"])
      })
    )
  )
})

describe("the vault of a job", () => {
  const [collected, delivered] = [attempt(1), attempt(2)]
  const vaults = new Map([
    [collected.hash, "0xc"],
    [delivered.hash, "0xd"]
  ])
  const nothing = () => Effect.succeed(0n)
  const plain = plainChain({ family: "evm", id: 1, name: "one", tokens: [], costOf: nothing, balanceOf: nothing })
  const swap: SwapRecord = {
    ...order(1, { originChain: 1, destinationChain: 1 }),
    state: "origin_final",
    version: 1,
    updatedAt: 0,
    reserved: true
  }
  const jobOf = (kind: "deliver" | "refund", attempts: Partial<Record<Kind, Attempt>>, operationVault?: string) => {
    const vaultOf = ([first]: ReadonlyArray<Attempt>) => first && vaults.get(first.hash)
    const worker = {
      chains: new Map([[1, { ...plain, vaultOf }]]),
      store: { attempts: (_: string, of: Kind) => Effect.sync(() => [attempts[of] ?? []].flat()) }
    } as unknown as Worker
    const operation = { ...swap.operation, ...(operationVault !== undefined && { vault: operationVault }) }
    return sendJobOf(worker, { ...swap, operation }, kind)
  }

  it.effect("is that of the first delivery, and for a refund that of the collection", () =>
    Effect.gen(function* () {
      const attempts = { collect: collected, deliver: delivered }
      expect(yield* jobOf("deliver", attempts)).toMatchObject({ vault: "0xd" })
      expect(yield* jobOf("refund", attempts)).toMatchObject({ vault: "0xc" })
      expect(yield* jobOf("deliver", { collect: collected })).not.toHaveProperty("vault")
    })
  )

  it.effect("of a refund is that of the operation, if the service has not collected the input itself", () =>
    Effect.gen(function* () {
      expect(yield* jobOf("refund", {}, "0xe")).toMatchObject({ vault: "0xe", amount: swap.amount })
      expect(yield* jobOf("deliver", {}, "0xe")).not.toHaveProperty("vault")
    })
  )
})
