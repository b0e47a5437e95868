import { describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { type Hash, parseTransaction, type TransactionSerialized } from "viem"
import { expect } from "vitest"
import type { Draft } from "../../../src/chains/Draft.js"
import type { Job } from "../../../src/domain/Job.js"
import type { Attempt } from "../../../src/domain/SwapRecord.js"
import { EvmFixture, freshAddress, layer as fixtureLayer, native } from "./fixture.js"

const callOf = ({ raw }: Attempt) => parseTransaction(raw as TransactionSerialized)

/** Three of something. */
const three = <A, E, R>(make: (index: number) => Effect.Effect<A, E, R>) => Effect.forEach([0, 1, 2], make)

const nonEmpty = ([first, ...others]: ReadonlyArray<Draft>) => {
  if (first === undefined) throw new Error("There are drafts.")
  return [first, ...others] as const
}

/** The fixture's chain, and functions to send jobs together. */
const batching = Effect.gen(function* () {
  const fixture = yield* EvmFixture
  const { chain, client, collectJob, newWallet, nextNonce, node, send } = fixture
  const prepareAll = (jobs: ReadonlyArray<Job>) => Effect.forEach(jobs, (job) => chain.prepare(job))
  const sign = Effect.fnUntraced(function* (drafts: ReadonlyArray<Draft>) {
    yield* TestClock.adjust("1 second")
    const combined = yield* chain.combine(nonEmpty(drafts), chain.relayers)
    expect(combined.count).toBe(drafts.length)
    return yield* chain.sign(combined, yield* nextNonce)
  })
  const sendAll = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>) {
    const attempt = yield* sign(yield* prepareAll(jobs))
    yield* chain.broadcast(attempt)
    return attempt
  })
  const outcomesOf = (jobs: ReadonlyArray<Job>, attempts: ReadonlyArray<Attempt>) =>
    Effect.forEach(jobs, (job) => chain.observe(job, attempts))
  /** Jobs that collect from new wallets, which are delegated already. */
  const collects = three(() =>
    Effect.gen(function* () {
      const wallet = yield* newWallet(1_000n)
      yield* send(yield* collectJob(wallet, 400n, { authorizeAt: 0 }))
      yield* node.mine()
      return yield* collectJob(wallet, 600n, { nonce: 1n })
    })
  )
  const receiptOf = (hash: string) => Effect.promise(() => client.getTransactionReceipt({ hash: hash as Hash }))
  return { ...fixture, collects, outcomesOf, prepareAll, receiptOf, sendAll, sign }
})

describe("a batch on an EVM chain", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("collects, delivers and refunds several orders in one transaction each", () =>
      Effect.gen(function* () {
        const { chain, collectInput, collects, node, outcomesOf, sendAll, sendJob, usdc } = yield* batching
        yield* collectInput(usdc, 1_000n)
        const kinds: ReadonlyArray<ReadonlyArray<Job>> = [
          yield* collects,
          yield* three(() => Effect.sync(() => sendJob("deliver", usdc, freshAddress(), 5n))),
          yield* three(() => Effect.sync(() => sendJob("deliver", native, freshAddress(), 5n))),
          yield* three(() => Effect.sync(() => sendJob("refund", usdc, freshAddress(), 5n)))
        ]
        for (const jobs of kinds) {
          const attempt = yield* sendAll(jobs)
          const { hash } = attempt
          expect(chain.isBatch(attempt)).toBe(true)
          expect(yield* outcomesOf(jobs, [attempt])).toEqual(jobs.map(() => ({ _tag: "Waiting" })))
          yield* node.mine()
          const block = yield* chain.height
          expect(yield* outcomesOf(jobs, [attempt])).toEqual(
            jobs.map(() => ({ _tag: "Included", hash, succeeded: true, block }))
          )
          yield* node.mine(2)
          expect(yield* outcomesOf(jobs, [attempt])).toMatchObject(jobs.map(() => ({ _tag: "Done", hash, block })))
        }
      })
    )

    it.effect("makes later quotes cheaper by the part of the fixed gas that it saves", () =>
      Effect.gen(function* () {
        const { chainWith, nextNonce, node, sendJob, usdc } = yield* batching
        const chain = yield* chainWith({ maxBatch: 10 })
        const query = { token: usdc, opensAccount: false, gas: 60_000n }
        const costs = Effect.all([
          chain.costOf({ ...query, kind: "collect" }),
          chain.costOf({ ...query, kind: "deliver" }),
          chain.costOf({ ...query, token: native, kind: "deliver" })
        ])
        const [collect, deliver, inNative] = yield* costs
        expect([deliver, inNative]).toEqual([collect, collect])
        for (let batch = 0; batch < 2; batch++) {
          const jobs = Array.from({ length: 10 }, () => sendJob("deliver", usdc, freshAddress(), 5n))
          const drafts = yield* Effect.forEach(jobs, (job) => chain.prepare(job))
          const attempt = yield* chain.sign(yield* chain.combine(nonEmpty(drafts), chain.relayers), yield* nextNonce)
          yield* chain.broadcast(attempt)
          yield* node.mine(3)
          for (const job of jobs) expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done" })
        }
        // Twenty swaps paid for two transactions. No collection was shared, and a native delivery may have to be alone.
        const [alone, shared, nativeAlone] = yield* costs
        expect(shared * 60_000n).toBe(alone * (60_000n - 18_900n))
        expect(nativeAlone).toBe(alone)
      })
    )

    it.effect("leaves out the job that fails, and does the others", () =>
      Effect.gen(function* () {
        const fixture = yield* batching
        const { chain, deployPausable, mint, node, outcomesOf, prepareAll, sendJob, setCap, setTokenPaused, sign } =
          fixture
        const { send, usdc, vault } = fixture
        const token = yield* deployPausable
        yield* mint(token, vault, 1_000n)
        yield* setCap(token, 2n ** 200n)
        const jobs = [usdc, token, usdc].map((one) => sendJob("deliver", one, freshAddress(), 7n))
        const attempt = yield* sign(yield* prepareAll(jobs))
        // Since the simulation, the token has been paused.
        yield* setTokenPaused(token, true)
        yield* chain.broadcast(attempt)
        yield* node.mine()
        expect(yield* outcomesOf(jobs, [attempt])).toMatchObject(
          [true, false, true].map((succeeded) => ({ _tag: "Included", succeeded }))
        )
        yield* node.mine(2)
        const [first, second, third] = yield* outcomesOf(jobs, [attempt])
        expect(first).toMatchObject({ _tag: "Done", hash: attempt.hash })
        expect(second).toMatchObject({ _tag: "Dead", why: "left out", hash: attempt.hash })
        expect(third).toMatchObject({ _tag: "Done", hash: attempt.hash })
        yield* setTokenPaused(token, false)
        // The separate transaction that follows decides.
        const [, job] = jobs
        if (job === undefined) return
        const again = yield* send(job)
        expect(yield* chain.observe(job, [attempt, again])).toEqual({ _tag: "Waiting" })
        yield* node.mine(3)
        expect(yield* chain.observe(job, [attempt, again])).toMatchObject({ _tag: "Done", hash: again.hash })
      })
    )

    it.effect("reports the separate transaction that reverted after a batch left the job out", () =>
      Effect.gen(function* () {
        const fixture = yield* batching
        const { chain, deployPausable, mint, nextNonce, node, prepareAll, sendJob, setCap, setTokenPaused, sign } =
          fixture
        const { usdc, vault } = fixture
        const token = yield* deployPausable
        yield* mint(token, vault, 1_000n)
        yield* setCap(token, 2n ** 200n)
        const [one, job] = [usdc, token].map((each) => sendJob("deliver", each, freshAddress(), 7n))
        if (one === undefined || job === undefined) return
        const drafts = yield* prepareAll([one, job])
        const batch = yield* sign(drafts)
        yield* setTokenPaused(token, true)
        yield* chain.broadcast(batch)
        yield* node.mine(3)
        const [, draft] = drafts
        if (draft === undefined) return
        const alone = yield* chain.sign(draft, yield* nextNonce)
        yield* chain.broadcast(alone)
        yield* node.mine(3)
        expect(yield* chain.observe(job, [batch, alone])).toMatchObject({
          _tag: "Dead",
          why: "reverted",
          hash: alone.hash
        })
        // A transaction that only uses up the nonce decides nothing either.
        const cancel = { ...alone, cancels: true }
        expect(yield* chain.observe(job, [batch, cancel])).toMatchObject({ _tag: "Dead", why: "replaced" })
      })
    )

    it.effect("is replaced with the same jobs, or canceled with all of them", () =>
      Effect.gen(function* () {
        const { chain, node, outcomesOf, sendAll, sendJob, usdc } = yield* batching
        const jobs = yield* three(() => Effect.sync(() => sendJob("deliver", usdc, freshAddress(), 5n)))
        const [job] = jobs
        if (job === undefined) return
        const first = yield* sendAll(jobs)
        yield* TestClock.adjust("31 seconds")
        const second = yield* chain.replace(job, [first], false)
        if (second === undefined) return yield* Effect.die("There is no replacement.")
        const { data, gas, nonce, to } = callOf(first)
        expect(callOf(second)).toMatchObject({ data, gas, nonce, to })
        expect(chain.isBatch(second)).toBe(true)
        yield* chain.broadcast(second)
        const third = yield* chain.replace(job, [first, second], true)
        if (third === undefined) return yield* Effect.die("There is no cancellation.")
        expect(third).toMatchObject({ cancels: true, nonce })
        expect(chain.isBatch(third)).toBe(false)
        yield* chain.broadcast(third)
        yield* node.mine(3)
        expect(yield* outcomesOf(jobs, [first, second, third])).toMatchObject(
          jobs.map(() => ({ _tag: "Dead", why: "replaced" }))
        )
        // An attempt that is missing from the list changes nothing.
        expect(yield* chain.observe(job, [first])).toMatchObject({ _tag: "Dead", why: "replaced" })
      })
    )

    it.effect("is found by the event even if the swap does not know the transaction that replaced it", () =>
      Effect.gen(function* () {
        const { chain, node, outcomesOf, sendAll, sendJob, usdc } = yield* batching
        const jobs = yield* three(() => Effect.sync(() => sendJob("deliver", usdc, freshAddress(), 5n)))
        const [job] = jobs
        if (job === undefined) return
        const first = yield* sendAll(jobs)
        yield* TestClock.adjust("31 seconds")
        const second = yield* chain.replace(job, [first], false)
        if (second === undefined) return yield* Effect.die("There is no replacement.")
        yield* chain.broadcast(second)
        yield* node.mine(3)
        expect(yield* outcomesOf(jobs, [first])).toMatchObject(jobs.map(() => ({ _tag: "Done", hash: second.hash })))
      })
    )

    it.effect("does the other jobs even if one uses up all of its gas", () =>
      Effect.gen(function* () {
        const { chain, client, node, outcomesOf, prepareAll, receiptOf, sendJob, sign } = yield* batching
        // The recipient has no code when the delivery is simulated.
        const burner = freshAddress()
        const jobs = [burner, freshAddress(), freshAddress()].map((to) => sendJob("deliver", native, to, 5n))
        const attempt = yield* sign(yield* prepareAll(jobs))
        // Loops for as long as there is gas.
        yield* Effect.promise(() => client.setCode({ address: burner, bytecode: "0x5b5f56" }))
        yield* chain.broadcast(attempt)
        yield* node.mine(3)
        const outcomes = yield* outcomesOf(jobs, [attempt])
        expect(outcomes[0]).toMatchObject({ _tag: "Dead", why: "left out" })
        expect(outcomes.slice(1)).toMatchObject([{ _tag: "Done" }, { _tag: "Done" }])
        // The vault forwards at most 100,000 gas to a recipient.
        expect((yield* receiptOf(attempt.hash)).gasUsed).toBeLessThan(400_000n)
      })
    )

    it.effect("has no job that runs code of others or carries an authorization", () =>
      Effect.gen(function* () {
        const { chain, chainWith, client, collectJob, collects, newWallet, sendJob, usdc } = yield* batching
        const sharesOf = (job: Job) => Effect.map(chain.prepare(job), ({ shares }) => shares)
        const wallet = yield* newWallet(10n)
        expect(yield* sharesOf(yield* collectJob(wallet, 10n, { authorizeAt: 0 }))).toBeUndefined()
        const [collect] = yield* collects
        if (collect === undefined) return
        const contract = freshAddress()
        yield* Effect.promise(() => client.setCode({ address: contract, bytecode: "0x00" }))
        expect(yield* sharesOf(collect)).toMatch(/^collect 0x/)
        expect(yield* sharesOf(sendJob("deliver", native, contract, 1n))).toBeUndefined()
        expect(yield* sharesOf(sendJob("deliver", native, freshAddress(), 1n))).toMatch(/^deliver 0x/)
        expect(yield* sharesOf(sendJob("deliver", usdc, contract, 1n))).toMatch(/^deliver 0x/)
        const off = yield* chainWith({ maxBatch: 1 })
        expect((yield* off.prepare(collect)).shares).toBeUndefined()
      })
    )

    it.effect("has at most as many jobs as are configured, fit into a transaction, and can be paid for", () =>
      Effect.gen(function* () {
        const { chain, chainWith, client, key, node, sendJob, usdc } = yield* batching
        const draft = yield* chain.prepare(sendJob("deliver", usdc, freshAddress(), 1n))
        const many = nonEmpty(Array.from({ length: 60 }, () => draft))
        const { relayers } = chain
        expect((yield* chain.combine(many, relayers)).count).toBe(10)
        const large = yield* chainWith({ maxBatch: 50 })
        expect((yield* large.combine(many, relayers)).count).toBe(50)
        const plan = draft.plan as { readonly gas: bigint }
        const heavy = nonEmpty(many.map((one) => ({ ...one, plan: { ...plan, gas: 1_500_000n } })))
        const { count, plan: heavyPlan } = yield* chain.combine(heavy, relayers)
        expect(count).toBe(10)
        expect((heavyPlan as { readonly gas: bigint }).gas).toBeLessThanOrEqual(16_777_216n)
        expect((yield* large.combine(heavy, relayers)).count).toBe(7)
        const { gasLimit } = yield* Effect.promise(() => client.getBlock())
        yield* Effect.promise(() => client.setBlockGasLimit({ gasLimit: 5_000_000n }))
        yield* node.mine()
        const small = yield* (yield* chainWith({})).combine(heavy, relayers)
        yield* Effect.promise(() => client.setBlockGasLimit({ gasLimit }))
        yield* node.mine()
        expect(small.count).toBe(3)
        expect((small.plan as { readonly gas: bigint }).gas).toBeLessThanOrEqual(5_000_000n)
        const [first] = many
        expect(yield* chain.combine([first], relayers)).toMatchObject({ count: 1, plan: { gas: plan.gas } })

        // New chains estimate the same fees.
        const { gas, maxFeePerGas } = (yield* (yield* chainWith({})).combine([first, first, first], relayers)).plan as {
          readonly gas: bigint
          readonly maxFeePerGas: bigint
        }
        const balance = yield* Effect.promise(() => client.getBalance({ address: key.address }))
        const poor = yield* chainWith({})
        yield* Effect.promise(() => client.setBalance({ address: key.address, value: gas * maxFeePerGas }))
        const left = yield* poor.combine(many, relayers)
        yield* Effect.promise(() => client.setBalance({ address: key.address, value: balance }))
        expect(left.count).toBe(3)
      })
    )
  })
})
