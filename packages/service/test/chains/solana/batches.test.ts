import { layer } from "@effect/vitest"
import { SolanaReader } from "@geoswap/signer-solana"
import { AuthorityType, getSetAuthorityInstruction } from "@solana-program/token"
import { createSolanaRpc, getBase64Encoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { SolanaChain } from "../../../src/chains/Chains.js"
import type { Draft } from "../../../src/chains/Draft.js"
import { paymentsIn } from "../../../src/chains/solana/transactions/batches.js"
import type { SendJob } from "../../../src/domain/Job.js"
import {
  airdrop,
  chainAt,
  changesOf,
  collectJob,
  direct,
  execute,
  finalitySlots,
  mintOf,
  native,
  person,
  relayer,
  sendJob,
  stranger,
  Svm,
  tokenAccountOf,
  usdc,
  vault
} from "./fixture.js"

const weth = mintOf("WETH")
const geo = mintOf("GEO")

/** A delivery to a holder, which opens no account. */
const toHolder = (index: number, amount: bigint, token: string = usdc): SendJob => ({
  ...sendJob("deliver", person(index % 3).address, amount, token),
  opensAccount: false
})

const draftsOf = Effect.fnUntraced(function* (chain: SolanaChain, jobs: ReadonlyArray<SendJob>) {
  const [first, ...others] = yield* Effect.forEach(jobs, (job) => chain.prepare(job))
  if (first === undefined) return yield* Effect.die("There is no draft.")
  return [first, ...others] as const satisfies readonly [Draft, ...ReadonlyArray<Draft>]
})

/** One signed transaction for the first of these jobs that can share one. */
const signedTogether = Effect.fnUntraced(function* (chain: SolanaChain, jobs: ReadonlyArray<SendJob>) {
  const combined = yield* chain.combine(yield* draftsOf(chain, jobs), chain.relayers)
  return { count: combined.count, attempt: yield* chain.sign(combined, undefined) }
})

const signedAlone = Effect.fnUntraced(function* (chain: SolanaChain, job: SendJob) {
  return yield* chain.sign(yield* chain.prepare(job), undefined)
})

const sizeOf = (raw: string) => getBase64Encoder().encode(raw).length

/** Makes slots until a transaction that is not in a block has expired. */
const expire = Effect.fnUntraced(function* (height: bigint | undefined) {
  const svm = yield* Svm
  yield* svm.mine(finalitySlots)
  const final = yield* Effect.promise(() =>
    createSolanaRpc(svm.rpcUrl).getBlockHeight({ commitment: "finalized" }).send()
  )
  yield* svm.mine(Number((height ?? 0n) - final) + 1)
})

layer(Svm.layer)("a batch on Solana", (it) => {
  it.effect("pays all recipients with one transaction, with a memo for each order", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const newcomer = stranger("in a batch").address
      const jobs = [toHolder(0, 5n), sendJob("deliver", newcomer, 7n), toHolder(1, 9n)]
      const owners = {
        first: person(0).address,
        newcomer,
        second: person(1).address,
        vault: vault.address,
        relayer: relayer.address
      }
      let maxCost = 0n
      const task = Effect.gen(function* () {
        const { attempt, count } = yield* signedTogether(chain, jobs)
        expect(count).toBe(3)
        maxCost = attempt.maxCost ?? 0n
        expect(chain.isBatch(attempt)).toBe(true)
        expect(paymentsIn(attempt).map(({ amount, memo }) => [amount, memo])).toEqual(
          jobs.map(({ amount, orderId }) => [amount, `geoswap:${orderId}:delivered`])
        )
        for (const job of jobs) expect(yield* chain.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
        yield* chain.broadcast(attempt)
        for (const job of jobs) {
          expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Included", succeeded: true })
        }
        yield* svm.mine(finalitySlots)
        for (const job of jobs) {
          expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        }
      })
      const changes = yield* changesOf(owners, task)
      expect(Object.values(changes).map(({ tokens }) => tokens)).toEqual([5n, 7n, 9n, -21n, 0n])
      // The fees, and the rent of the account that was opened.
      expect(changes["relayer"]?.lamports).toBe(-maxCost)
    })
  )

  it.effect("proves each payment to a reader of the recipient, also in SOL", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const newcomer = stranger("who proves").address
      const refund: SendJob = { ...toHolder(1, 9n), kind: "refund" }
      const jobs = [sendJob("deliver", newcomer, 7n), refund, sendJob("deliver", newcomer, 5_000_000n, native)]
      const { attempt, count } = yield* signedTogether(chain, jobs)
      expect(count).toBe(3)
      yield* chain.broadcast(attempt)
      yield* svm.mine(finalitySlots)
      const chainId = 31339
      const reader = yield* SolanaReader.make({ rpcUrls: { [chainId]: svm.rpcUrl } })
      const read = ({ kind, orderId, to, token }: SendJob) =>
        reader.payout?.({
          kind: kind === "refund" ? "refund" : "delivery",
          chainId,
          txHash: attempt.hash,
          orderId,
          vaults: [vault.address],
          recipient: to,
          token,
          since: 0
        }) ?? Effect.die("This reader reads no payouts.")
      expect(yield* Effect.forEach(jobs, read)).toEqual([7n, 9n, 5_000_000n])
      expect(yield* read({ ...refund, kind: "deliver" })).toBe(0n)
      expect(yield* read({ ...refund, to: newcomer })).toBe(0n)
    })
  )

  it.effect("can pay a recipient several times, also in SOL", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const inSol = stranger("twice in SOL").address
      const cases = [
        [toHolder(0, 5n), toHolder(0, 5n), toHolder(0, 6n)],
        [5_000_000n, 5_000_000n, 7_000_000n].map((amount) => sendJob("deliver", inSol, amount, native)),
        // The vault's account neither gains nor loses anything.
        [{ ...sendJob("deliver", vault.address, 3n), opensAccount: false }, toHolder(1, 4n)]
      ]
      for (const jobs of cases) {
        const { attempt, count } = yield* signedTogether(chain, jobs)
        expect(count).toBe(jobs.length)
        yield* chain.broadcast(attempt)
        yield* svm.mine(finalitySlots)
        for (const job of jobs) expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done" })
      }
    })
  )

  it.effect("does not prove a payment that it does not contain exactly", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const [one, other] = [toHolder(0, 5n), toHolder(1, 6n)]
      const { attempt } = yield* signedTogether(chain, [one, other])
      yield* chain.broadcast(attempt)
      yield* svm.mine(finalitySlots)
      const strange: ReadonlyArray<SendJob> = [
        { ...one, amount: 6n },
        { ...one, orderId: other.orderId },
        { ...one, orderId: toHolder(0, 5n).orderId },
        { ...one, kind: "refund" },
        { ...one, to: person(1).address },
        { ...one, to: person(2).address },
        { ...one, to: vault.address },
        { ...one, token: weth }
      ]
      for (const job of strange) {
        const error = yield* Effect.flip(chain.observe(job, [attempt]))
        expect(error).toMatchObject({ _tag: "ChainUnavailable" })
        expect(error.message).toContain("without its transfer")
      }
      expect(yield* chain.observe(one, [attempt])).toMatchObject({ _tag: "Done" })
    })
  )

  it.effect("contains as many payments as fit into a packet", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const eight = Array.from({ length: 8 }, (_, index) => index)
      const newcomers = eight.map((index) => stranger(`of eight ${index}`).address)
      // Recipients that differ take the most space.
      for (const to of newcomers) {
        yield* chain.broadcast(yield* signedAlone(chain, sendJob("deliver", to, 1n, geo)))
      }
      yield* svm.mine(1)
      const cases: ReadonlyArray<readonly [count: number, jobs: ReadonlyArray<SendJob>]> = [
        [6, newcomers.map((to) => ({ ...sendJob("deliver", to, 1n, geo), opensAccount: false }))],
        [6, newcomers.map((to) => sendJob("refund", to, 1n, geo))],
        [4, newcomers.map((to) => sendJob("deliver", to, 1n, weth))],
        [6, newcomers.map((to) => sendJob("deliver", to, 5_000_000n, native))],
        [5, eight.map((index) => toHolder(index, 1n, [usdc, weth, geo][index % 3]))]
      ]
      for (const [expected, jobs] of cases) {
        const { attempt, count } = yield* signedTogether(chain, jobs)
        expect(count).toBe(expected)
        expect(sizeOf(attempt.raw)).toBeLessThanOrEqual(1232)
        yield* chain.broadcast(attempt)
        yield* svm.mine(finalitySlots)
        for (const job of jobs.slice(0, count)) {
          expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done" })
        }
      }
    })
  )

  it.effect("never contains collections, or payments of different kinds", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const sharesOf = Effect.fnUntraced(function* (by: SolanaChain, job: SendJob) {
        return (yield* by.prepare(job)).shares
      })
      expect((yield* chain.prepare(yield* collectJob(chain, person(0), 1n))).shares).toBeUndefined()
      const keys = [
        yield* sharesOf(chain, toHolder(0, 1n)),
        yield* sharesOf(chain, sendJob("refund", person(0).address, 1n)),
        yield* sharesOf(chain, sendJob("deliver", person(0).address, 5_000_000n, native))
      ]
      expect(new Set(keys).size).toBe(3)
      expect(keys).not.toContain(undefined)
      const off = yield* chainAt([svm.rpcUrl], { maxBatch: 1 })
      expect(yield* sharesOf(off, toHolder(0, 1n))).toBeUndefined()
      const pairs = yield* chainAt([svm.rpcUrl], { maxBatch: 2 })
      const { count } = yield* signedTogether(pairs, [toHolder(0, 1n), toHolder(1, 1n), toHolder(2, 1n)])
      expect(count).toBe(2)
      // A single payment is not a batch.
      const alone = yield* signedTogether(chain, [toHolder(0, 1n)])
      expect(alone.count).toBe(1)
      expect(chain.isBatch(alone.attempt)).toBe(false)
    })
  )

  it.effect("leaves out a payment that fails by the time it is signed", () =>
    Effect.gen(function* () {
      const { chain } = yield* direct
      const seller = person(3)
      yield* airdrop(seller.address, 1_000_000_000n)
      const jobs = [
        toHolder(0, 1n),
        toHolder(1, 1n),
        { ...sendJob("deliver", seller.address, 1n), opensAccount: false },
        toHolder(2, 1n)
      ]
      const drafts = yield* draftsOf(chain, jobs)
      const owned = yield* tokenAccountOf(seller.address)
      yield* execute(seller, async (owner) => [
        getSetAuthorityInstruction({
          owned,
          owner,
          authorityType: AuthorityType.AccountOwner,
          newAuthority: person(2).address
        })
      ])
      expect((yield* chain.combine(drafts, chain.relayers)).count).toBe(2)
    })
  )

  it.effect("that fails pays no account and decides nothing, and each of its swaps is paid once afterwards", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const all = yield* chain.inventoryOf(weth)
      const half = all / 2n
      const [one, other] = [toHolder(0, half, weth), toHolder(1, half, weth)]
      const owners = { one: person(0).address, other: person(1).address }
      const task = Effect.gen(function* () {
        const winner = yield* signedAlone(chain, toHolder(2, all - half, weth))
        const { attempt } = yield* signedTogether(chain, [one, other])
        yield* chain.broadcast(winner)
        yield* chain.broadcast(attempt)
        expect(yield* chain.observe(one, [attempt])).toMatchObject({ _tag: "Included", succeeded: false })
        yield* svm.mine(finalitySlots)
        for (const job of [one, other]) {
          expect(yield* chain.observe(job, [attempt])).toMatchObject({
            _tag: "Dead",
            why: "left out",
            hash: attempt.hash
          })
        }
        // The vault has enough for one of them.
        const [first, second] = [yield* signedAlone(chain, one), yield* signedAlone(chain, other)]
        yield* svm.mine(1)
        const third = yield* signedAlone(chain, other)
        expect(yield* chain.observe(one, [attempt, first])).toEqual({ _tag: "Waiting" })
        yield* chain.broadcast(first)
        yield* chain.broadcast(second)
        yield* svm.mine(finalitySlots)
        expect(yield* chain.observe(one, [attempt, first])).toMatchObject({ _tag: "Done", hash: first.hash })
        expect(yield* chain.observe(other, [attempt, second])).toMatchObject({
          _tag: "Dead",
          why: "reverted",
          hash: second.hash
        })
        // The last attempt was never sent, so the batch's failure is not the reason.
        expect(yield* chain.observe(other, [attempt, third])).toEqual({ _tag: "Waiting" })
        yield* expire(third.lastValidBlockHeight)
        expect(yield* chain.observe(other, [attempt, third])).toMatchObject({ _tag: "Dead", why: "expired" })
      })
      const changes = yield* changesOf(owners, task, weth)
      expect(Object.values(changes).map(({ tokens }) => tokens)).toEqual([half, 0n])
    })
  )

  it.effect("can be included until its blockhash has expired at a final height", () =>
    Effect.gen(function* () {
      const { chain, svm } = yield* direct
      const jobs = [toHolder(0, 2n), toHolder(1, 3n)]
      const owners = { one: person(0).address, other: person(1).address }
      const task = Effect.gen(function* () {
        const { attempt } = yield* signedTogether(chain, jobs)
        yield* svm.mine(100)
        for (const job of jobs) expect(yield* chain.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
        yield* expire(attempt.lastValidBlockHeight)
        for (const job of jobs) {
          expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Dead", why: "expired" })
        }
        yield* chain.broadcast(attempt)
        for (const job of jobs) {
          const alone = yield* signedAlone(chain, job)
          yield* chain.broadcast(alone)
          yield* svm.mine(finalitySlots)
          expect(yield* chain.observe(job, [attempt, alone])).toMatchObject({ _tag: "Done", hash: alone.hash })
        }
      })
      const changes = yield* changesOf(owners, task)
      expect(Object.values(changes).map(({ tokens }) => tokens)).toEqual([2n, 3n])
    })
  )
})
