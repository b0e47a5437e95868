import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { type Hash, numberToHex, toHex } from "viem"
import { expect } from "vitest"
import * as NodeQuorum from "../../../src/chains/evm/nodes/nodeQuorum.js"
import * as Node from "../../../src/chains/evm/nodes/rpcNodes.js"
import { SearchRange } from "../../../src/chains/evm/nodes/searchLogs.js"
import * as ObserveNode from "../../../src/chains/evm/transactions/observeNode.js"
import { addressOf, eventOf } from "../../../src/chains/evm/transactions/vaultCalls.js"
import type * as Config from "../../../src/config/Config.js"
import type { Job } from "../../../src/domain/Job.js"
import type { Attempt } from "../../../src/domain/SwapRecord.js"
import { EvmFixture, fresh32 as freshHash, freshAddress, layer as fixtureLayer } from "./fixture.js"

const always = (value: unknown) => Proxy.change(() => value)
const unavailable = { _tag: "ChainUnavailable", chainId: 31337 }

/** The chain behind three proxies. */
const tripled = Effect.fnUntraced(function* (changes: Partial<Config.EvmChain> = {}) {
  const { chainWith, node } = yield* EvmFixture
  const make = Proxy.make({ target: node.rpcUrl })
  const [one, two, three] = [yield* make, yield* make, yield* make]
  return { one, two, three, chain: yield* chainWith({ rpcUrls: [one.rpcUrl, two.rpcUrl, three.rpcUrl], ...changes }) }
})

/** Makes a node return a receipt with the event of a job that never happened, in the first block. */
const inventReceipt = Effect.fnUntraced(function* (liar: Proxy.Proxy, job: Job, { hash }: Attempt) {
  const { client, vault } = yield* EvmFixture
  const { hash: blockHash } = yield* Effect.promise(() => client.getBlock({ blockNumber: 1n }))
  const logs = [eventOf(addressOf(vault), job)]
  yield* liar.set("eth_getTransactionReceipt", always({ transactionHash: hash, blockHash, blockNumber: "0x1", logs }))
  yield* liar.set("eth_getTransactionCount", always("0x3e8"))
})

/** Makes a node report the relayer's nonces as used, without the transactions that used them. */
const inventDeath = Effect.fnUntraced(function* (liar: Proxy.Proxy) {
  yield* liar.set("eth_getTransactionReceipt", Proxy.receiptMissing)
  yield* liar.set("eth_getTransactionCount", always("0x3e8"))
  yield* liar.set("eth_getLogs", always([]))
})

/** A delivery that is signed and not sent. */
const unsent = Effect.gen(function* () {
  const { chain, nextNonce, node, sendJob, usdc } = yield* EvmFixture
  yield* node.mine(3)
  yield* TestClock.adjust("1 second")
  const job = sendJob("deliver", usdc, freshAddress(), 1n)
  return { job, attempt: yield* chain.sign(yield* chain.prepare(job), yield* nextNonce) }
})

describe("the quorum of an EVM chain", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("accepts no terminal outcome of a lying node while the honest node of two is silent", () =>
      Effect.gen(function* () {
        const { doubled } = yield* EvmFixture
        const { chain, one: liar, two: honest } = yield* doubled()
        const { attempt, job } = yield* unsent
        yield* honest.down
        for (const invent of [inventReceipt(liar, job, attempt), inventDeath(liar)]) {
          yield* invent
          const error = yield* Effect.flip(chain.observe(job, [attempt]))
          expect(error).toMatchObject(unavailable)
          expect(error.message).toContain(
            "Chain 31337 (devnet-a) is below its quorum: 1 of 2 nodes responded, but 2 must agree."
          )
          expect(error.message).toContain(`127.0.0.1:${honest.port} could not be reached`)
          yield* liar.clear()
        }
        yield* honest.up
        expect(yield* chain.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
      }).pipe(Effect.scoped)
    )

    it.effect("accepts no terminal outcome of a lying node while the honest nodes of three are silent", () =>
      Effect.gen(function* () {
        const { chain, one: liar, three, two } = yield* tripled()
        const { attempt, job } = yield* unsent
        yield* two.down
        for (const invent of [inventReceipt(liar, job, attempt), inventDeath(liar)]) {
          yield* invent
          // One honest node contradicts it.
          const contradicted = yield* Effect.flip(chain.observe(job, [attempt]))
          expect(contradicted.message).toContain("The nodes disagree about the deliver")
          yield* three.down
          const error = yield* Effect.flip(chain.observe(job, [attempt]))
          expect(error.message).toContain("below its quorum: 1 of 3 nodes responded, but 2 must agree")
          yield* three.up
          yield* liar.clear()
        }
      }).pipe(Effect.scoped)
    )

    it.effect("accepts two of three nodes while the third is silent or only behind", () =>
      Effect.gen(function* () {
        const { client, node, send, sendJob, usdc } = yield* EvmFixture
        const { chain, three } = yield* tripled()
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* send(job)
        const before = yield* Effect.promise(() => client.getBlockNumber())
        yield* node.mine(3)
        const done = { _tag: "Done", hash: attempt.hash }
        yield* three.down
        expect(yield* chain.observe(job, [attempt])).toMatchObject(done)
        expect(yield* chain.externalSettlement(job)).toMatchObject(done)
        yield* three.up
        yield* three.set("eth_blockNumber", always(numberToHex(before)))
        yield* three.set(
          "eth_getBlockByNumber",
          Proxy.latestBlock(() => before)
        )
        yield* three.set("eth_getTransactionReceipt", Proxy.receiptMissing)
        yield* three.set("eth_call", always(toHex(0, { size: 32 })))
        expect(yield* chain.observe(job, [attempt])).toMatchObject(done)
        expect(yield* chain.externalSettlement(job)).toMatchObject(done)
        // At the same height it is not behind, but contradicts the others.
        yield* three.clear("eth_blockNumber")
        yield* three.clear("eth_getBlockByNumber")
        yield* three.set("eth_getTransactionCount", always("0x0"))
        expect((yield* Effect.flip(chain.observe(job, [attempt]))).message).toContain("reports Waiting")
        expect(yield* chain.externalSettlement(job)).toMatchObject({ _tag: "Unclear" })
      }).pipe(Effect.scoped)
    )

    it.effect("has the configured size", () =>
      Effect.gen(function* () {
        const { doubled, node, send, sendJob, usdc } = yield* EvmFixture
        const [single, all] = [yield* doubled({ quorum: 1 }), yield* tripled({ quorum: 3 })]
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* send(job)
        yield* node.mine(3)
        yield* single.two.down
        expect(yield* single.chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        expect(yield* all.chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        yield* all.three.down
        expect((yield* Effect.flip(all.chain.observe(job, [attempt]))).message).toContain(
          "2 of 3 nodes responded, but 3"
        )
      }).pipe(Effect.scoped)
    )

    it.effect("decides whether others settled an order, and below it only that they may have", () =>
      Effect.gen(function* () {
        const { doubled, node, refundByOwner, sendJob, usdc, vault } = yield* EvmFixture
        const { chain, one: liar, two: honest } = yield* doubled()
        const job = sendJob("refund", usdc, freshAddress(), 9n)
        yield* node.mine(3)
        yield* honest.down
        // Used, and sent in the first block: it is neither.
        const log = {
          ...eventOf(addressOf(vault), job),
          transactionHash: freshHash(),
          blockNumber: "0x1",
          removed: false
        }
        yield* liar.set("eth_call", always(toHex(1, { size: 32 })))
        yield* liar.set("eth_getLogs", always([log]))
        expect(yield* chain.externalSettlement(job)).toMatchObject({ _tag: "Unclear" })
        yield* liar.clear()
        // Unused, and it is not.
        yield* refundByOwner(job)
        yield* liar.set("eth_call", always(toHex(0, { size: 32 })))
        expect(yield* Effect.flip(chain.externalSettlement(job))).toMatchObject(unavailable)
      }).pipe(Effect.scoped)
    )

    it.effect("decides which nonces are used and which time is final", () =>
      Effect.gen(function* () {
        const { chain: plain, doubled } = yield* EvmFixture
        const lie = Effect.fnUntraced(function* (liar: Proxy.Proxy) {
          yield* liar.set("eth_getTransactionCount", always("0x3e8"))
          yield* liar.set(
            "eth_getBlockByNumber",
            Proxy.change((block) => ({ ...(block as object), timestamp: "0xffffffff" }))
          )
        })
        const [nonce, time] = [yield* plain.relayerNonce(plain.relayer), yield* plain.finalTime]
        const three = yield* tripled()
        yield* lie(three.one)
        expect([yield* three.chain.relayerNonce(plain.relayer), yield* three.chain.finalTime]).toEqual([nonce, time])
        yield* three.two.down
        expect([yield* three.chain.relayerNonce(plain.relayer), yield* three.chain.finalTime]).toEqual([nonce, time])
        const two = yield* doubled()
        yield* lie(two.one)
        expect([yield* two.chain.relayerNonce(plain.relayer), yield* two.chain.finalTime]).toEqual([nonce, time])
        yield* two.two.down
        expect(yield* Effect.flip(two.chain.relayerNonce(plain.relayer))).toMatchObject(unavailable)
        expect(yield* Effect.flip(two.chain.finalTime)).toMatchObject(unavailable)
      }).pipe(Effect.scoped)
    )

    it.effect("decides whether a transaction is lost: a node that hides it does not while the other is silent", () =>
      Effect.gen(function* () {
        const { doubled, node, send, sendJob, usdc } = yield* EvmFixture
        const { chain, one: liar, two: honest } = yield* doubled()
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* send(job)
        yield* TestClock.adjust("6 seconds")
        yield* liar.set("eth_getTransactionByHash", always(null))
        expect(yield* chain.replace(job, [attempt], false)).toBeUndefined()
        yield* honest.down
        expect(yield* chain.replace(job, [attempt], false)).toBeUndefined()
        yield* honest.up
        yield* node.drop(attempt.hash as Hash)
        expect(yield* chain.replace(job, [attempt], false)).toMatchObject({ cancels: true, nonce: attempt.nonce })
      }).pipe(Effect.scoped)
    )

    it.effect("does not treat a search that ended early as the absence of an event", () =>
      Effect.gen(function* () {
        const { chain, config, key, nextNonce, node, send, sendJob, usdc, vault } = yield* EvmFixture
        const [reads] = NodeQuorum.make(Node.make(config), config).nodes
        if (reads === undefined) return yield* Effect.die("There is one node.")
        const observeNode = (...args: Parameters<ReturnType<typeof ObserveNode.make>>) =>
          Effect.provideService(ObserveNode.make(config)(...args), SearchRange, { step: 2n, farthest: 4n })
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const nonce = yield* nextNonce
        const attempt = yield* chain.sign(yield* chain.prepare({ ...job, orderId: freshHash() }), nonce)
        const replaced = { ...attempt, signer: addressOf(key.address) }
        const other = yield* send(job)
        yield* node.mine(12)
        expect(yield* chain.observe(job, [replaced])).toMatchObject({ _tag: "Done", hash: other.hash })
        const error = yield* Effect.flip(observeNode(reads, addressOf(vault), job, [replaced]))
        expect(error).toMatchObject(unavailable)
        expect(error.message).toContain("did not reach back to the time of the first attempt")
        // The vault itself says that an order is unused.
        const unused = { ...job, orderId: freshHash() }
        expect(yield* observeNode(reads, addressOf(vault), unused, [replaced])).toMatchObject({
          outcome: { _tag: "Dead", why: "replaced" }
        })
      })
    )

    it.effect("does not count nodes that are silent, behind or on another chain", () =>
      Effect.gen(function* () {
        const { node } = yield* EvmFixture
        yield* node.mine(3)
        const { chain, one, three, two } = yield* tripled()
        const agreeing = (count: number) => ({ nodes: 3, agreeing: count, quorum: 2 })
        expect(yield* chain.agreement).toEqual(agreeing(3))
        yield* one.down
        expect(yield* chain.agreement).toEqual(agreeing(2))
        yield* two.set(
          "eth_getBlockByNumber",
          Proxy.change((block) => ({ ...(block as object), hash: freshHash() }))
        )
        expect(yield* chain.agreement).toEqual(agreeing(1))
        yield* two.clear()
        // Far ahead of all other nodes.
        yield* two.set(
          "eth_getBlockByNumber",
          Proxy.latestBlock(() => 0xffffffn)
        )
        expect(yield* chain.agreement).toEqual(agreeing(2))
        yield* three.down
        expect(yield* chain.agreement).toEqual(agreeing(0))
        yield* two.down
        expect(yield* chain.agreement).toEqual(agreeing(0))
      }).pipe(Effect.scoped)
    )
  })
})
