import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { type Hash, toHex } from "viem"
import { expect } from "vitest"
import * as Vaults from "../../../src/chains/evm/accounts/vaults.js"
import * as NodeQuorum from "../../../src/chains/evm/nodes/nodeQuorum.js"
import * as Node from "../../../src/chains/evm/nodes/rpcNodes.js"
import { SearchRange } from "../../../src/chains/evm/nodes/searchLogs.js"
import * as ExternalSettlement from "../../../src/chains/evm/proof/externalSettlement.js"
import { addressOf, eventOf } from "../../../src/chains/evm/transactions/vaultCalls.js"
import { EvmFixture, fresh32, freshAddress, layer as fixtureLayer } from "./fixture.js"

const receipts = "eth_getTransactionReceipt"
const always = (value: unknown) => Proxy.change(() => value)
const ahead = (blocks: bigint) => Proxy.latestBlock((number) => number + blocks)
const no = toHex(0, { size: 32 })
const yes = toHex(1, { size: 32 })
const unavailable = { _tag: "ChainUnavailable", chainId: 31337, timeout: false }

describe("EVM nodes that contradict each other", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("do not let one node invent a final transaction, in either order", () =>
      Effect.gen(function* () {
        const { chainWith, client, doubled, nextNonce, node, sendJob, usdc, vault } = yield* EvmFixture
        yield* node.mine(3)
        const { chain, one: liar, two: honest } = yield* doubled()
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* chain.sign(yield* chain.prepare(job), yield* nextNonce)
        const { hash: blockHash } = yield* Effect.promise(() => client.getBlock({ blockNumber: 1n }))
        const receipt = { transactionHash: attempt.hash, blockHash, blockNumber: "0x1" }
        yield* liar.set(receipts, always({ ...receipt, logs: [eventOf(addressOf(vault), job)] }))
        // A receipt is not even requested until the nonce has been used.
        expect(yield* chain.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
        yield* liar.set("eth_getTransactionCount", always("0x3e8"))
        const error = yield* Effect.flip(chain.observe(job, [attempt]))
        expect(error).toMatchObject(unavailable)
        expect(error.message).toContain(`127.0.0.1:${liar.port} reports Done by ${attempt.hash}`)
        expect(error.message).toContain(`127.0.0.1:${honest.port} reports Waiting`)
        const turned = yield* chainWith({ rpcUrls: [honest.rpcUrl, liar.rpcUrl] })
        expect(yield* turned.observe(job, [attempt])).toEqual({ _tag: "Waiting" })
        yield* honest.down
        expect(yield* Effect.flip(chain.observe(job, [attempt]))).toMatchObject(unavailable)
      }).pipe(Effect.scoped)
    )

    it.effect("do not let one node move a final transaction to another block", () =>
      Effect.gen(function* () {
        const { client, doubled, node, send, sendJob, usdc } = yield* EvmFixture
        const { chain, one: liar } = yield* doubled()
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* send(job)
        yield* node.mine()
        const block = yield* Effect.promise(() => client.getBlockNumber())
        yield* node.mine(2)
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash, block })
        const { hash: blockHash } = yield* Effect.promise(() => client.getBlock({ blockNumber: 1n }))
        const elsewhere = Proxy.change((receipt) => ({ ...(receipt as object), blockHash, blockNumber: "0x1" }))
        yield* liar.set(receipts, elsewhere)
        const { message } = yield* Effect.flip(chain.observe(job, [attempt]))
        expect(message).toContain(`127.0.0.1:${liar.port} reports Done by ${attempt.hash} in block 1`)
      }).pipe(Effect.scoped)
    )

    it.effect("do not let one node hide a final transaction", () =>
      Effect.gen(function* () {
        const { doubled, node, send, sendJob, usdc } = yield* EvmFixture
        const { chain, one: liar, two: honest } = yield* doubled()
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* send(job)
        yield* node.mine(3)
        yield* liar.set(receipts, Proxy.receiptMissing)
        // Without receipts, the logs are enough.
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        yield* liar.set("eth_getLogs", always([]))
        const { message } = yield* Effect.flip(chain.observe(job, [attempt]))
        expect(message).toContain(`127.0.0.1:${liar.port} reports Dead`)
        expect(message).toContain(`127.0.0.1:${honest.port} reports Done`)

        const other = sendJob("deliver", usdc, freshAddress(), 2n)
        const waiting = yield* send(other)
        yield* liar.set("eth_getTransactionCount", always("0x3e8"))
        expect((yield* Effect.flip(chain.observe(other, [waiting]))).message).toContain("reports Waiting")
        yield* node.mine(3)
        yield* liar.clear()
        expect(yield* chain.observe(other, [waiting])).toMatchObject({ _tag: "Done", hash: waiting.hash })
      }).pipe(Effect.scoped)
    )

    it.effect("agree that a job is dead", () =>
      Effect.gen(function* () {
        const { doubled, node, pause, nextNonce, sendJob, unpause, usdc } = yield* EvmFixture
        const { chain } = yield* doubled()
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* chain.sign(yield* chain.prepare(job), yield* nextNonce)
        yield* pause
        yield* chain.broadcast(attempt)
        yield* node.mine(3)
        yield* unpause
        const { hash } = attempt
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Dead", why: "reverted", hash })
      }).pipe(Effect.scoped)
    )

    it.effect("wait for a node that is a little behind, but not for one that does not follow", () =>
      Effect.gen(function* () {
        const { doubled, node, send, sendJob, usdc } = yield* EvmFixture
        const { chain, one } = yield* doubled()
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* send(job)
        yield* node.mine(2)
        const included = { _tag: "Included", hash: attempt.hash, succeeded: true }
        yield* one.set("eth_getBlockByNumber", ahead(1n))
        expect(yield* chain.observe(job, [attempt])).toMatchObject(included)
        yield* one.set("eth_getBlockByNumber", ahead(64n))
        expect(yield* chain.observe(job, [attempt])).toMatchObject(included)
        yield* one.set("eth_getBlockByNumber", ahead(65n))
        expect((yield* Effect.flip(chain.observe(job, [attempt]))).message).toContain("do not follow")
        yield* node.mine()
        yield* one.clear()
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
      }).pipe(Effect.scoped)
    )

    it.effect("all receive a transaction, so that none can withhold it", () =>
      Effect.gen(function* () {
        const { client, doubled, nextNonce, node, sendJob, usdc } = yield* EvmFixture
        const { chain, one: liar, two: silent } = yield* doubled()
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* chain.sign(yield* chain.prepare(job), yield* nextNonce)
        const arrived = () => client.getTransaction({ hash: attempt.hash as Hash }).then(Boolean, () => false)
        yield* liar.set("eth_sendRawTransaction", Proxy.rpcError(-32000, "already known"))
        yield* chain.broadcast(attempt)
        while (!(yield* Effect.promise(arrived))) yield* Effect.yieldNow
        // A silent node is not waited for, and a refusal of one node is not final.
        yield* silent.set("eth_sendRawTransaction", Proxy.loseAnswer)
        yield* chain.broadcast(attempt)
        yield* silent.clear()
        yield* liar.set("eth_sendRawTransaction", Proxy.rpcError(-32000, "no"))
        yield* chain.broadcast(attempt)
        yield* silent.set("eth_sendRawTransaction", Proxy.httpStatus(503))
        const { message } = yield* Effect.flip(chain.broadcast(attempt))
        expect(message).toContain(`127.0.0.1:${liar.port} rejected eth_sendRawTransaction: no`)
        expect(message).toContain(`127.0.0.1:${silent.port} responded to eth_sendRawTransaction with HTTP 503`)
        yield* node.mine(3)
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
      }).pipe(Effect.scoped)
    )

    it.effect("report whether others settled an order, and disagreement is unclear", () =>
      Effect.gen(function* () {
        const { doubled, node, refundByOwner, sendJob, usdc } = yield* EvmFixture
        const { chain, one } = yield* doubled()
        const job = sendJob("refund", usdc, freshAddress(), 9n)
        expect(yield* chain.externalSettlement(job)).toEqual({ _tag: "Unused" })
        // Logs are dear: the vault itself knows what was never sent.
        expect(yield* one.calls("eth_getLogs")).toBe(0)
        yield* one.set("eth_call", always(yes))
        expect(yield* chain.externalSettlement(job)).toMatchObject({ _tag: "Unclear" })
        yield* one.clear()

        const { hash } = yield* refundByOwner(job)
        for (const _ of [1, 2]) {
          const early = yield* chain.externalSettlement(job)
          expect(early).toMatchObject({ _tag: "Unclear", message: expect.stringContaining("not final yet") as string })
          yield* node.mine()
        }
        expect(yield* chain.externalSettlement(job)).toMatchObject({ _tag: "Done", hash })
        // It is more than was owed.
        expect(yield* chain.externalSettlement({ ...job, amount: 8n })).toMatchObject({ _tag: "Done", hash })
        const others = [
          { ...job, kind: "deliver" as const },
          { ...job, kind: "deliver" as const, amount: 8n },
          { ...job, amount: 10n },
          { ...job, to: freshAddress() }
        ]
        for (const other of others) {
          const message = expect.stringContaining("no event shows") as string
          expect(yield* chain.externalSettlement(other)).toMatchObject({ _tag: "Unclear", message })
        }
        expect(yield* chain.externalSettlement({ ...job, orderId: fresh32() })).toEqual({ _tag: "Unused" })
        yield* one.set("eth_call", always(no))
        const differ = yield* chain.externalSettlement(job)
        expect(differ).toMatchObject({
          _tag: "Unclear",
          message: expect.stringContaining(`:${one.port} reports`) as string
        })
        yield* one.down
        const message = expect.stringContaining("is below its quorum: 1 of 2 nodes responded") as string
        expect(yield* chain.externalSettlement(job)).toMatchObject({ _tag: "Unclear", message })
        yield* one.clear()
        yield* one.up
        expect(yield* chain.externalSettlement(job)).toMatchObject({ _tag: "Done", hash })
      }).pipe(Effect.scoped)
    )

    it.effect("are searched for an event in small steps, within a limit", () =>
      Effect.gen(function* () {
        const { config, node, refundByOwner, sendJob, usdc } = yield* EvmFixture
        const job = sendJob("refund", usdc, freshAddress(), 9n)
        const { hash } = yield* refundByOwner(job)
        yield* node.mine(12)
        const quorum = NodeQuorum.make(Node.make(config), config)
        const vaults = Vaults.make(config)
        const within = (farthest: bigint) =>
          Effect.provideService(ExternalSettlement.make({ config, quorum, vaults })(job), SearchRange, {
            step: 2n,
            farthest
          })
        expect(yield* within(14n)).toMatchObject({ _tag: "Done", hash })
        expect(yield* within(12n)).toMatchObject({ _tag: "Unclear" })
      })
    )

    it.effect("do not let one node leave a gap in the relayer's nonces", () =>
      Effect.gen(function* () {
        const { chain: plain, doubled } = yield* EvmFixture
        const { chain, one } = yield* doubled()
        yield* one.set("eth_getTransactionCount", always("0x3e8"))
        expect(yield* chain.relayerNonce(plain.relayer)).toBe(yield* plain.relayerNonce(plain.relayer))
      }).pipe(Effect.scoped)
    )

    it.effect("must all be on the configured chain, and on the same one", () =>
      Effect.gen(function* () {
        const { chainWith, doubled, node, otherNode } = yield* EvmFixture
        const { chain, one, two } = yield* doubled()
        yield* chain.verify
        const mixed = yield* chainWith({ rpcUrls: [node.rpcUrl, otherNode.rpcUrl] })
        expect((yield* Effect.flip(mixed.verify)).message).toBe(
          `Chain 31337 (devnet-a): the node ${new URL(otherNode.rpcUrl).host} is on chain 31338. ` +
            "Set rpcUrls to nodes on chain 31337."
        )
        yield* two.set("eth_getBlockByNumber", always({ hash: fresh32() }))
        expect((yield* Effect.flip(chain.verify)).message).toBe(
          `Chain 31337 (devnet-a): the node 127.0.0.1:${two.port} has a different first block than 127.0.0.1:${one.port}.`
        )
        // Not every node has the first block, and a node that is down is not compared.
        yield* two.set("eth_getBlockByNumber", always(null))
        yield* chain.verify
        yield* two.down
        yield* chain.verify
      }).pipe(Effect.scoped)
    )

    it.effect("must have the blocks that are final, unless they are down", () =>
      Effect.gen(function* () {
        const { chainWith, doubled } = yield* EvmFixture
        const { one, two } = yield* doubled()
        const chain = yield* chainWith({ rpcUrls: [one.rpcUrl, two.rpcUrl], finality: [{ after: "finalized" }] })
        yield* chain.verify
        yield* two.set(
          "eth_getBlockByNumber",
          Proxy.change((block, [at]) => (at === "finalized" ? null : block))
        )
        expect((yield* Effect.flip(chain.verify)).message).toBe(
          `Chain 31337 (devnet-a): the node 127.0.0.1:${two.port} has no finalized block. ` +
            "Set finality to seconds, or use another node."
        )
        yield* two.down
        yield* chain.verify
      }).pipe(Effect.scoped)
    )
  })
})
