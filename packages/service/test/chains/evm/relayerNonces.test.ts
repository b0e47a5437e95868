import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { type Hash, parseTransaction } from "viem"
import { generatePrivateKey } from "viem/accounts"
import { expect } from "vitest"
import * as EvmChain from "../../../src/chains/evm/EvmChain.js"
import * as EvmKeys from "../../../src/chains/evm/EvmKeys.js"
import { EvmFixture, freshAddress, layer as fixtureLayer } from "./fixture.js"

describe("the nonces of an EVM relayer", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("are used up if no node accepts the transaction with the next one", () =>
      Effect.gen(function* () {
        const { chain, chainWith, node, send, sendJob, usdc } = yield* EvmFixture
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const first = yield* send(job)
        yield* TestClock.adjust("20 seconds")
        expect(yield* chain.replace(job, [first], false)).toBeUndefined()
        yield* node.drop(first.hash as Hash)
        const patient = yield* chainWith({ pollMillis: 4_000 })
        expect(yield* patient.replace(job, [first], false)).toBeUndefined()

        const cancel = yield* chain.replace(job, [first], false)
        if (cancel === undefined) return yield* Effect.die("There is no cancellation.")
        expect(cancel).toMatchObject({ cancels: true, nonce: first.nonce })
        expect(parseTransaction(cancel.raw as `0x02${string}`)).toMatchObject({
          gas: 21_000n,
          to: chain.relayer.toLowerCase()
        })
        expect(yield* chain.replace(job, [first, cancel], false)).toBeUndefined()
        yield* chain.broadcast(cancel)
        yield* node.mine(3)
        expect(yield* chain.observe(job, [first, cancel])).toMatchObject({ _tag: "Dead", why: "replaced" })
      })
    )

    it.effect("wait five seconds, and while any node has the transaction", () =>
      Effect.gen(function* () {
        const { collectInput, doubled, node, send, sendJob, usdc } = yield* EvmFixture
        yield* collectInput(usdc, 1n)
        const { chain, one, two } = yield* doubled()
        const job = sendJob("refund", usdc, freshAddress(), 1n)
        const first = yield* send(job)
        const unknown = Proxy.change(() => null)
        yield* one.set("eth_getTransactionByHash", unknown)
        yield* TestClock.adjust("6 seconds")
        expect(yield* chain.replace(job, [first], false)).toBeUndefined()
        yield* two.set("eth_getTransactionByHash", unknown)
        const early = { ...first, createdAt: first.createdAt + 1_000 }
        expect(yield* chain.replace(job, [early], false)).toBeUndefined()
        expect(yield* chain.replace(job, [first], false)).toMatchObject({ cancels: true })
        yield* node.mine()
        expect(yield* chain.replace(job, [first], false)).toBeUndefined()
      }).pipe(Effect.scoped)
    )

    it.effect("are used up above the fee limit if necessary, by at most a quarter", () =>
      Effect.gen(function* () {
        const { chainWith, node, send, sendJob, usdc } = yield* EvmFixture
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const first = yield* send(job)
        const limit = first.maxFeePerGas ?? 0n
        const tight = yield* chainWith({ maxFeePerGas: limit })
        yield* TestClock.adjust("1 minute")
        expect(yield* tight.replace(job, [first], false)).toBeUndefined()
        yield* node.drop(first.hash as Hash)
        const cancel = yield* tight.replace(job, [first], false)
        if (cancel === undefined) return yield* Effect.die("There is no cancellation.")
        expect(cancel.cancels).toBe(true)
        expect((cancel.maxFeePerGas ?? 0n) * 1000n).toBeGreaterThanOrEqual(limit * 1125n)
        expect((cancel.maxFeePerGas ?? 0n) * 100n).toBeLessThanOrEqual(limit * 125n)
        yield* TestClock.adjust("1 minute")
        expect(yield* tight.replace(job, [first, cancel], false)).toBeUndefined()
      })
    )

    it.effect(
      "get no higher fee while they wait for an earlier one, and are used up if no node has the transaction",
      () =>
        Effect.gen(function* () {
          const { chain, nextNonce, node, sendJob, usdc } = yield* EvmFixture
          const job = sendJob("deliver", usdc, freshAddress(), 1n)
          const attempt = yield* chain.sign(yield* chain.prepare(job), (yield* nextNonce) + 1)
          yield* TestClock.adjust("1 minute")
          // Later transactions wait for it, so it is used up before it is the next one.
          expect(yield* chain.replace(job, [attempt], false)).toMatchObject({ cancels: true, nonce: attempt.nonce })
          yield* chain.broadcast(attempt)
          expect(yield* chain.replace(job, [attempt], false)).toBeUndefined()
          const cancel = yield* chain.replace(job, [attempt], true)
          if (cancel === undefined) return yield* Effect.die("There is no cancellation.")
          expect(cancel).toMatchObject({ cancels: true, nonce: attempt.nonce })
          yield* TestClock.adjust("1 minute")
          expect(yield* chain.replace(job, [attempt, cancel], true)).toBeUndefined()
          yield* node.drop(attempt.hash as Hash)
        })
    )

    it.effect("are not compared with transactions of another relayer or vault", () =>
      Effect.gen(function* () {
        const { chain, chainWith, config, delegate, node, send, sendJob, usdc, vault } = yield* EvmFixture
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* send(job)
        const key = yield* EvmKeys.fromPrivateKey(Redacted.make(generatePrivateKey()))
        const rotated = yield* EvmChain.make({ config, keys: [key] })
        const moved = yield* chainWith({ vaults: [{ address: freshAddress(), delegate }] })
        yield* TestClock.adjust("1 minute")
        for (const [other, words] of [
          [rotated, `was signed by another relayer, ${chain.relayer}. Run the service with the previous relayer key`],
          [
            moved,
            `was signed for another vault, ${vault.toLowerCase()}. Run the service with the previous configuration`
          ]
        ] as const) {
          const error = yield* Effect.flip(other.observe(job, [attempt]))
          expect(error).toMatchObject({ _tag: "ChainUnavailable", timeout: false })
          expect(error.message).toContain(`${attempt.hash} ${words}`)
          for (const cancel of [true, false]) {
            expect(yield* other.replace(job, [attempt], cancel)).toBeUndefined()
          }
        }
        const spoilt = { ...attempt, raw: "0x02" }
        expect((yield* Effect.flip(chain.observe(job, [attempt, spoilt]))).message).toContain("cannot be read")
        yield* node.mine(3)
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
      })
    )

    it.effect("are not taken if the relayer cannot pay, and the error names who needs gas", () =>
      Effect.gen(function* () {
        const { chain, client, key, sendJob, usdc } = yield* EvmFixture
        const { address } = key
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const { raw } = yield* chain.sign(yield* chain.prepare(job), 0)
        const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(raw as `0x02${string}`)
        const cost = gas * maxFeePerGas
        const before = yield* Effect.promise(() => client.getBalance({ address }))
        const setBalance = (value: bigint) => Effect.promise(() => client.setBalance({ address, value }))
        yield* setBalance(cost - 1n)
        const error = yield* Effect.flip(chain.prepare(job))
        expect(error).toMatchObject({ _tag: "ChainUnavailable", timeout: false })
        expect(error.message).toContain(`The relayer ${address.toLowerCase()} has 0.`)
        expect(error.message).toContain("ETH on chain 31337 (devnet-a)")
        expect(error.message).toContain("Top up the relayer")
        yield* setBalance(cost)
        yield* chain.prepare(job)
        yield* setBalance(before)
      })
    )

    it.effect("are not read if the receipts are enough, because old nodes do not have them", () =>
      Effect.gen(function* () {
        const { chain: direct, nextNonce, node, pause, proxied, send, sendJob, unpause, usdc } = yield* EvmFixture
        const { chain, proxy } = yield* proxied()
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* send(job)
        yield* node.mine(3)
        yield* proxy.set("eth_getTransactionCount", Proxy.rpcError(-32000, "missing trie node"))
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        const refused = sendJob("deliver", usdc, freshAddress(), 1n)
        const draft = yield* direct.prepare(refused)
        const nonce = yield* nextNonce
        const [failed, rival] = [yield* direct.sign(draft, nonce), yield* direct.sign(draft, nonce + 1)]
        yield* pause
        yield* direct.broadcast(failed)
        yield* node.mine(3)
        yield* unpause
        expect(yield* chain.observe(refused, [failed])).toMatchObject({ _tag: "Dead", why: "reverted" })
        expect(yield* Effect.flip(chain.observe(refused, [failed, rival]))).toMatchObject({ _tag: "ChainUnavailable" })
      }).pipe(Effect.scoped)
    )
  })
})
