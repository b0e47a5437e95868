import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { concatHex, keccak256, numberToHex, toHex } from "viem"
import { expect } from "vitest"
import * as Vaults from "../../../src/chains/evm/accounts/vaults.js"
import * as NodeQuorum from "../../../src/chains/evm/nodes/nodeQuorum.js"
import * as Node from "../../../src/chains/evm/nodes/rpcNodes.js"
import { SearchRange } from "../../../src/chains/evm/nodes/searchLogs.js"
import * as Collection from "../../../src/chains/evm/proof/collectionProof.js"
import { addressOf, eventOf } from "../../../src/chains/evm/transactions/vaultCalls.js"
import { EvmFixture, fresh32, freshAddress, layer as fixtureLayer } from "./fixture.js"

const unavailable = { _tag: "ChainUnavailable", chainId: 31337 }
const always = (value: unknown) => Proxy.change(() => value)

/** ERC-7201 of `geoswap.account`. */
const bitmap = "0x863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000"

/** A wallet with an operation that is valid for two minutes of the chain's time. */
const operation = Effect.gen(function* () {
  const { client, collectJob, newWallet, node } = yield* EvmFixture
  const wallet = yield* newWallet(10n)
  const start = Number((yield* Effect.promise(() => client.getBlock())).timestamp)
  const deadline = start + 120
  const job = yield* collectJob(wallet, 10n, { authorizeAt: 0, deadline })
  /** Blocks until the first one after the deadline is final. */
  const expire = Effect.gen(function* () {
    for (const offset of [1, 2, 3]) yield* node.setTime(deadline + offset)
  })
  return { deadline, expire, job, wallet }
})

describe("EvmChain.collection", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("is open until the vault's event is final, and then collected", () =>
      Effect.gen(function* () {
        const { client, doubled, node, send } = yield* EvmFixture
        const { chain } = yield* doubled()
        const { expire, job } = yield* operation
        expect(yield* chain.collection(job)).toMatchObject({ _tag: "Open" })
        const { hash } = yield* send(job)
        yield* node.mine()
        const block = yield* Effect.promise(() => client.getBlockNumber())
        expect(yield* chain.collection(job)).toMatchObject({ _tag: "Open" })
        yield* node.mine(2)
        expect(yield* chain.collection(job)).toEqual({ _tag: "Collected", hash, block })
        yield* expire
        expect(yield* chain.collection(job)).toEqual({ _tag: "Collected", hash, block })
        // Any other field is another payment.
        for (const other of [
          { ...job, amount: 9n },
          { ...job, terms: fresh32() },
          { ...job, wallet: freshAddress() },
          { ...job, orderId: fresh32() },
          { ...job, token: freshAddress() }
        ]) {
          expect(yield* chain.collection(other)).toMatchObject({ _tag: "Never" })
        }
      }).pipe(Effect.scoped)
    )

    it.effect("is never for a wallet that forged the nonce in its own storage, once the deadline has passed", () =>
      Effect.gen(function* () {
        const { client, doubled, node, usdc } = yield* EvmFixture
        const { chain, one, two } = yield* doubled()
        const { deadline, job, wallet } = yield* operation
        const index = keccak256(concatHex([toHex(0, { size: 32 }), bitmap]))
        // A contract that the wallet delegates to could do this.
        yield* Effect.promise(() =>
          client.setCode({ address: wallet.address, bytecode: `0xef0100${usdc.slice(2)}` as const })
        )
        yield* Effect.promise(() =>
          client.setStorageAt({ address: wallet.address, index, value: toHex(1, { size: 32 }) })
        )
        yield* node.mine(3)
        expect(yield* chain.usedNonces(wallet.address, 0n)).toBe(1n)
        expect(yield* chain.collection(job)).toMatchObject({ _tag: "Open" })
        yield* node.setTime(deadline)
        yield* node.setTime(deadline + 1)
        yield* node.setTime(deadline + 2)
        // The deadline itself is still in time, and is the time of the newest finalized block.
        expect(yield* chain.collection(job)).toMatchObject({ _tag: "Open" })
        yield* node.mine()
        const final = (yield* Effect.promise(() => client.getBlockNumber())) - 2n
        expect(yield* chain.collection(job)).toEqual({
          _tag: "Never",
          block: final,
          time: deadline + 1,
          nodes: [`127.0.0.1:${one.port}`, `127.0.0.1:${two.port}`]
        })
      }).pipe(Effect.scoped)
    )

    it.effect("is not denied by a node that hides logs, whether or not the honest node answers", () =>
      Effect.gen(function* () {
        const { doubled, node, send } = yield* EvmFixture
        const { chain, one: liar, two: honest } = yield* doubled()
        const { expire, job } = yield* operation
        yield* send(job)
        yield* node.mine()
        yield* expire
        yield* liar.set("eth_getLogs", always([]))
        const { message } = yield* Effect.flip(chain.collection(job))
        expect(message).toContain(`127.0.0.1:${liar.port} reports Never`)
        expect(message).toContain(`127.0.0.1:${honest.port} reports Collected`)
        yield* honest.down
        const error = yield* Effect.flip(chain.collection(job))
        expect(error).toMatchObject(unavailable)
        expect(error.message).toContain("below its quorum: 1 of 2 nodes responded, but 2 must agree")
      }).pipe(Effect.scoped)
    )

    it.effect("is neither denied nor invented by a node whose clock runs ahead", () =>
      Effect.gen(function* () {
        const { doubled, node, vault } = yield* EvmFixture
        const { chain, one: liar, two: honest } = yield* doubled()
        const { job } = yield* operation
        yield* node.mine(3)
        yield* liar.set(
          "eth_getBlockByNumber",
          Proxy.change((block) => ({ ...(block as object), timestamp: "0xffffffff" }))
        )
        expect(yield* chain.collection(job)).toMatchObject({ _tag: "Open" })
        yield* liar.clear()
        const event = { ...eventOf(addressOf(vault), job), transactionHash: fresh32(), blockNumber: numberToHex(1) }
        yield* liar.set("eth_getLogs", always([event]))
        expect((yield* Effect.flip(chain.collection(job))).message).toContain("reports Collected")
        yield* honest.down
        expect(yield* Effect.flip(chain.collection(job))).toMatchObject(unavailable)
      }).pipe(Effect.scoped)
    )

    it.effect("is decided by two of three nodes while the third is behind", () =>
      Effect.gen(function* () {
        const { chainWith, client, node, send } = yield* EvmFixture
        const make = Proxy.make({ target: node.rpcUrl })
        const [one, two, three] = [yield* make, yield* make, yield* make]
        const chain = yield* chainWith({ rpcUrls: [one.rpcUrl, two.rpcUrl, three.rpcUrl] })
        const [paid, unpaid] = [yield* operation, yield* operation]
        yield* send(paid.job)
        const before = yield* Effect.promise(() => client.getBlockNumber())
        const behind = Proxy.change((block, [at]) =>
          at === "latest" ? { ...(block as object), number: numberToHex(before) } : block
        )
        yield* node.mine()
        yield* unpaid.expire
        yield* three.set("eth_getBlockByNumber", behind)
        expect(yield* chain.collection(paid.job)).toMatchObject({ _tag: "Collected" })
        expect(yield* chain.collection(unpaid.job)).toMatchObject({
          _tag: "Never",
          nodes: [`127.0.0.1:${one.port}`, `127.0.0.1:${two.port}`]
        })
        yield* two.set("eth_getBlockByNumber", behind)
        expect(yield* chain.collection(paid.job)).toMatchObject({ _tag: "Open" })
        expect(yield* chain.collection(unpaid.job)).toMatchObject({ _tag: "Open" })
      }).pipe(Effect.scoped)
    )

    it.effect("is found after any number of blocks, and unknown if the search is cut short", () =>
      Effect.gen(function* () {
        const { config, node, send } = yield* EvmFixture
        const [paid, unpaid] = [yield* operation, yield* operation]
        const { hash } = yield* send(paid.job)
        // The event is older than one request for logs reaches.
        yield* node.mine(12)
        yield* unpaid.expire
        yield* node.mine(500)
        const quorum = NodeQuorum.make(Node.make(config), config)
        const vaults = Vaults.make(config)
        const collection = Collection.make({ config, quorum, vaults })
        const within = (farthest: bigint) => (job: Parameters<typeof collection>[0]) =>
          Effect.provideService(collection(job), SearchRange, { step: 4n, farthest })
        expect(yield* within(400n)(paid.job)).toMatchObject({ _tag: "Collected", hash })
        expect(yield* within(400n)(unpaid.job)).toMatchObject({ _tag: "Never" })
        for (const { job } of [paid, unpaid]) {
          const error = yield* Effect.flip(within(8n)(job))
          expect(error).toMatchObject(unavailable)
          expect(error.message).toContain("did not reach back to the time when the order was built")
        }
      })
    )
  })
})
