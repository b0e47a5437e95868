import { describe, layer } from "@effect/vitest"
import { GeoVault } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import {
  encodeFunctionData,
  type Hash,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized
} from "viem"
import { generatePrivateKey } from "viem/accounts"
import { expect } from "vitest"
import * as EvmChain from "../../../src/chains/evm/EvmChain.js"
import * as EvmKeys from "../../../src/chains/evm/EvmKeys.js"
import type { Attempt } from "../../../src/domain/SwapRecord.js"
import { EvmFixture, freshAddress, layer as fixtureLayer } from "./fixture.js"

const signerOf = ({ raw }: Attempt) =>
  Effect.promise(() => recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized }))

/** The fixture's chain with a second relayer that has the role and gas. */
const twoLanes = Effect.gen(function* () {
  const fixture = yield* EvmFixture
  const { byOwner, client, config, key, vault } = fixture
  const second = yield* EvmKeys.fromPrivateKey(Redacted.make(generatePrivateKey()))
  yield* byOwner(
    vault,
    encodeFunctionData({ abi: GeoVault.abi, functionName: "setRelayer", args: [second.address, true] })
  )
  yield* Effect.promise(() => client.setBalance({ address: second.address, value: 10n ** 19n }))
  const chain = yield* EvmChain.make({ config, keys: [key, second] })
  const nonceOf = (address: `0x${string}`) => Effect.promise(() => client.getTransactionCount({ address }))
  return { ...fixture, chain, first: key.address, second: second.address, nonceOf }
})

describe("an EVM chain with several relayers", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("requires the role for each of them", () =>
      Effect.gen(function* () {
        const { chain, config, first, second } = yield* twoLanes
        expect(chain.relayers).toEqual([first, second])
        yield* chain.verify
        const stranger = yield* EvmKeys.fromPrivateKey(Redacted.make(generatePrivateKey()))
        const { key } = yield* EvmFixture
        const wrong = yield* EvmChain.make({ config, keys: [key, stranger] })
        const error = yield* Effect.flip(wrong.verify)
        expect(error.message).toContain(`${stranger.address} is not a relayer for the vault`)
        expect(error.message).not.toContain(first)
      })
    )

    it.effect("signs with the preferred relayer, or with the next one that can pay", () =>
      Effect.gen(function* () {
        const { chain, client, first, second, sendJob, usdc } = yield* twoLanes
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        for (const order of [
          [first, second],
          [second, first]
        ] as const) {
          const draft = yield* chain.prepare(job, order)
          expect(draft.relayer).toBe(order[0])
          const attempt = yield* chain.sign(draft, 0)
          expect(yield* signerOf(attempt)).toBe(order[0])
          expect(yield* chain.signerOf(attempt)).toBe(order[0].toLowerCase())
        }
        yield* Effect.promise(() => client.setBalance({ address: second, value: 1n }))
        expect((yield* chain.prepare(job, [second, first])).relayer).toBe(first)
        const error = yield* Effect.flip(chain.prepare(job, [second]))
        expect(error.message).toContain(`The relayer ${second.toLowerCase()} has `)
      })
    )

    it.effect("delivers through one relayer while a transaction from another is stuck", () =>
      Effect.gen(function* () {
        const { chain, first, node, nonceOf, second, sendJob, usdc } = yield* twoLanes
        const stuckJob = sendJob("deliver", usdc, freshAddress(), 1n)
        // The relayer's previous nonce is missing, so this transaction cannot be included.
        const stuck = yield* chain.sign(yield* chain.prepare(stuckJob, [first]), (yield* nonceOf(first)) + 1)
        yield* chain.broadcast(stuck)
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* chain.sign(yield* chain.prepare(job, [second]), yield* nonceOf(second))
        yield* chain.broadcast(attempt)
        yield* node.mine(3)
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        expect(yield* chain.observe(stuckJob, [stuck])).toEqual({ _tag: "Waiting" })
        yield* node.drop(stuck.hash as Hash)
      })
    )

    it.effect("compares each attempt with the nonce of the relayer that signed it", () =>
      Effect.gen(function* () {
        const { chain, first, node, nonceOf, second, send, sendJob, usdc } = yield* twoLanes
        yield* send(sendJob("deliver", usdc, freshAddress(), 1n))
        yield* node.mine()
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        // The second relayer's nonce is far below the first one's, and the same number was used by the first one.
        const nonce = yield* nonceOf(second)
        expect(yield* nonceOf(first)).toBeGreaterThan(nonce)
        const attempt = yield* chain.sign(yield* chain.prepare(job, [second]), nonce)
        expect(yield* chain.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
        expect(yield* chain.relayerNonce(second)).toBe(nonce)

        // One attempt was given up because its nonce was used. The other one can still be included.
        const used = yield* chain.sign(yield* chain.prepare(job, [first]), (yield* nonceOf(first)) - 1)
        expect(yield* chain.observe(job, [used, attempt])).toEqual({ _tag: "Waiting" })
        const other = sendJob("deliver", usdc, freshAddress(), 1n)
        const rival = yield* chain.sign(yield* chain.prepare(other, [second]), nonce)
        yield* chain.broadcast(rival)
        yield* node.mine(3)
        expect(yield* chain.observe(job, [used, attempt])).toMatchObject({ _tag: "Dead", why: "replaced" })
      })
    )

    it.effect("replaces a transaction with the key that signed it", () =>
      Effect.gen(function* () {
        const { chain, node, nonceOf, second, sendJob, usdc } = yield* twoLanes
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* chain.sign(yield* chain.prepare(job, [second]), yield* nonceOf(second))
        yield* chain.broadcast(attempt)
        yield* TestClock.adjust("1 minute")
        const bump = yield* chain.replace(job, [attempt], false)
        if (bump === undefined) return yield* Effect.die("There is no replacement.")
        expect(bump).toMatchObject({ cancels: false, nonce: attempt.nonce })
        expect(yield* signerOf(bump)).toBe(second)
        const cancel = yield* chain.replace(job, [attempt, bump], true)
        if (cancel === undefined) return yield* Effect.die("There is no cancellation.")
        expect(yield* signerOf(cancel)).toBe(second)
        expect(parseTransaction(cancel.raw as `0x02${string}`).to).toBe(second.toLowerCase())
        yield* node.drop(attempt.hash as Hash)
      })
    )
  })
})
