import { layer } from "@effect/vitest"
import { createSolanaRpc, getBase58Decoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { SolanaChain } from "../../../src/chains/Chains.js"
import type { Job } from "../../../src/domain/Job.js"
import {
  changesOf,
  collectJob,
  direct,
  finalitySlots,
  holdings,
  mintOf,
  person,
  sendJob,
  stranger,
  Svm,
  usdc,
  vault
} from "./fixture.js"

const signed = Effect.fnUntraced(function* (chain: SolanaChain, job: Job) {
  return yield* chain.sign(yield* chain.prepare(job), undefined)
})

/** Makes slots until a height is final. */
const untilFinal = Effect.fnUntraced(function* (height: bigint) {
  const svm = yield* Svm
  const rpc = createSolanaRpc(svm.rpcUrl)
  // The first blocks of a chain are final at once.
  yield* svm.mine(finalitySlots)
  const final = yield* Effect.promise(() => rpc.getBlockHeight({ commitment: "finalized" }).send())
  yield* svm.mine(Number(height - final))
})

layer(Svm.layer)("SolanaChain.observe", (it) => {
  it.effect("returns waiting without attempts", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      expect(yield* chain.observe(sendJob("deliver", person(0).address, 1n), [])).toEqual({ _tag: "Waiting" })
    })
  )

  it.effect("reports an attempt as expired only if the next height is final, and a new one pays once", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const to = stranger("late").address
      const job = sendJob("deliver", to, 9n)
      const task = Effect.gen(function* () {
        const first = yield* signed(chain, job)
        const last = first.lastValidBlockHeight ?? 0n
        yield* untilFinal(last)
        expect(yield* chain.observe(job, [first])).toEqual({ _tag: "Waiting" })
        yield* svm.mine(1)
        expect(yield* chain.observe(job, [first])).toEqual({
          _tag: "Dead",
          why: "expired",
          message: `Block height ${last} is final, and no block up to that height includes the transaction.`
        })
        yield* chain.broadcast(first)
        const second = yield* signed(chain, job)
        expect(second.hash).not.toBe(first.hash)
        expect(yield* chain.observe(job, [first, second])).toEqual({ _tag: "Waiting" })
        yield* chain.broadcast(second)
        expect(yield* chain.observe(job, [first, second])).toMatchObject({ _tag: "Included", hash: second.hash })
        yield* svm.mine(finalitySlots)
        yield* chain.broadcast(first)
        yield* chain.broadcast(second)
        expect(yield* chain.observe(job, [first, second])).toMatchObject({ _tag: "Done", hash: second.hash })
        // In any order, and if a node knows it only from its history.
        yield* svm.expireBlockhashes
        yield* svm.expireBlockhashes
        expect(yield* chain.observe(job, [second, first])).toMatchObject({ _tag: "Done", hash: second.hash })
      })
      const { recipient, vault: paid } = yield* changesOf({ recipient: to, vault: vault.address }, task)
      expect([recipient?.tokens, paid?.tokens]).toEqual([9n, -9n])
    })
  )

  it.effect("does not report an attempt as dead while it is in a block, however old", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const job = yield* collectJob(chain, person(0), 3n)
      const attempt = yield* signed(chain, job)
      yield* svm.mine(148)
      yield* chain.broadcast(attempt)
      yield* svm.mine(2)
      expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Included" })
      yield* svm.expireBlockhashes
      expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done" })
    })
  )

  it.effect("waits while the chain is halted, and reports an attempt as dead after a leader dropped it", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const job = yield* collectJob(chain, person(1), 4n)
      const attempt = yield* signed(chain, job)
      yield* svm.hold
      yield* chain.broadcast(attempt)
      expect(yield* chain.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
      expect(yield* svm.drop(attempt.hash)).toBe(true)
      yield* svm.release
      expect(yield* chain.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
      yield* svm.expireBlockhashes
      yield* svm.mine(finalitySlots)
      expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Dead", why: "expired" })
      expect(yield* Effect.flip(chain.prepare(job))).toMatchObject({ _tag: "Impossible", code: "OPERATION_EXPIRED" })
    })
  )

  it.effect("reports an attempt as done if a halted chain includes it later", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const job = yield* collectJob(chain, person(1), 4n)
      const attempt = yield* signed(chain, job)
      yield* svm.hold
      yield* chain.broadcast(attempt)
      yield* svm.release
      yield* svm.mine(1 + finalitySlots)
      expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
    })
  )

  it.effect("reports an attempt that another fork undoes as pending until it is final", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const wallet = person(2)
      const job = yield* collectJob(chain, wallet, 6n)
      const attempt = yield* signed(chain, job)
      const before = (yield* holdings(wallet.address)).tokens
      yield* chain.broadcast(attempt)
      yield* svm.mine(2)
      expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Included", succeeded: true })
      yield* svm.reorg(3)
      expect(yield* chain.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
      expect((yield* holdings(wallet.address)).tokens).toBe(before)
      yield* svm.mine(finalitySlots)
      expect(yield* chain.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
      yield* chain.broadcast(attempt)
      yield* svm.mine(finalitySlots)
      expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
      expect((yield* holdings(wallet.address)).tokens).toBe(before - 6n)
    })
  )

  it.effect("waits for a node that does not know the blockhash, and gives up when it has expired", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      yield* svm.mine(1)
      const job = yield* collectJob(chain, person(2), 6n)
      // The block of its blockhash is on a fork that was left.
      yield* svm.reorg(2)
      yield* svm.mine(1)
      const error = yield* Effect.flip(chain.prepare(job))
      expect(error).toMatchObject({ _tag: "ChainUnavailable", timeout: false })
      expect(error.message).toContain("has not yet seen the blockhash")
      yield* untilFinal(BigInt(job.operation.lastValidBlockHeight))
      expect(yield* Effect.flip(chain.prepare(job))).toMatchObject({ _tag: "ChainUnavailable" })
      yield* svm.mine(1)
      expect(yield* Effect.flip(chain.prepare(job))).toMatchObject({ _tag: "Impossible", code: "OPERATION_EXPIRED" })
    })
  )

  it.effect("reports an attempt as dead if it failed in a block", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const wallet = person(3)
      const geo = mintOf("GEO")
      const all = (yield* holdings(wallet.address, geo)).tokens
      const [first, second] = [yield* collectJob(chain, wallet, all, geo), yield* collectJob(chain, wallet, all, geo)]
      const [taken, failing] = [yield* signed(chain, first), yield* signed(chain, second)]
      yield* chain.broadcast(taken)
      yield* chain.broadcast(failing)
      expect(yield* chain.observe(second, [failing])).toMatchObject({
        _tag: "Included",
        hash: failing.hash,
        succeeded: false
      })
      yield* svm.mine(finalitySlots)
      expect(yield* chain.observe(first, [taken])).toMatchObject({ _tag: "Done" })
      const outcome = yield* chain.observe(second, [failing])
      expect(outcome).toMatchObject({ _tag: "Dead", why: "reverted", hash: failing.hash })
      expect(outcome).toHaveProperty("message", `${failing.hash} failed: {"InstructionError":[2,{"Custom":1}]}.`)
      expect((yield* holdings(wallet.address, geo)).tokens).toBe(0n)
    })
  )

  it.effect("reports a failure if one attempt failed and the other expired, and waits while one can land", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      // Everything the vault has, twice.
      const weth = mintOf("WETH")
      const all = yield* chain.inventoryOf(weth)
      const winner = sendJob("deliver", person(0).address, all, weth)
      const job = sendJob("deliver", person(1).address, all, weth)
      const unsent = yield* signed(chain, job)
      yield* svm.mine(2)
      const failing = yield* signed(chain, job)
      yield* chain.broadcast(yield* signed(chain, winner))
      yield* chain.broadcast(failing)
      yield* svm.mine(finalitySlots)
      expect(yield* chain.inventoryOf(weth)).toBe(0n)
      expect(yield* chain.observe(job, [failing])).toMatchObject({ _tag: "Dead", why: "reverted" })
      expect(yield* chain.observe(job, [unsent, failing])).toEqual({ _tag: "Waiting" })
      expect(yield* chain.observe(job, [failing, unsent])).toEqual({ _tag: "Waiting" })
      yield* svm.expireBlockhashes
      yield* svm.mine(finalitySlots)
      for (const attempts of [
        [unsent, failing],
        [failing, unsent]
      ]) {
        expect(yield* chain.observe(job, attempts)).toMatchObject({
          _tag: "Dead",
          why: "reverted",
          hash: failing.hash
        })
      }
      expect((yield* holdings(person(1).address, weth)).tokens).toBe(1_000_000_000n)
    })
  )

  it.effect("finds a result among hundreds of attempts", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const job = sendJob("deliver", person(0).address, 2n, usdc)
      const attempt = yield* signed(chain, job)
      yield* svm.expireBlockhashes
      yield* svm.mine(finalitySlots)
      const dead = Array.from({ length: 300 }, (_, index) => ({
        ...attempt,
        hash: getBase58Decoder().decode(new Uint8Array(64).fill(1 + (index % 255), index < 255 ? 0 : 32))
      }))
      expect(yield* chain.observe(job, dead)).toMatchObject({ _tag: "Dead", why: "expired" })
      const last = yield* signed(chain, job)
      yield* chain.broadcast(last)
      yield* svm.mine(finalitySlots)
      expect(yield* chain.observe(job, [...dead, last])).toMatchObject({ _tag: "Done", hash: last.hash })
    })
  )
})
