import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { EvmFixture, freshAddress, layer as fixtureLayer, native } from "./fixture.js"

/** A node that is this many blocks ahead or behind. */
const moved = (blocks: bigint) => Proxy.latestBlock((number) => number + blocks)
const behind = { _tag: "ChainUnavailable", chainId: 31337, timeout: false, behind: true }

describe("EVM balances for accepting a swap", () => {
  layer(fixtureLayer, { timeout: 60_000 })((it) => {
    const height = Effect.flatMap(EvmFixture, ({ client }) => Effect.promise(() => client.getBlockNumber()))

    it.effect("are read at one block, which is returned", () =>
      Effect.gen(function* () {
        const { chain, mint, node, usdc } = yield* EvmFixture
        const to = freshAddress()
        yield* mint(usdc, to, 7n)
        const block = yield* height
        expect(yield* chain.balanceAt(usdc, to, 0n)).toEqual({ amount: 7n, block })
        expect(yield* chain.balanceAt(native, to, block)).toEqual({ amount: 0n, block })
        const [held, most] = [yield* chain.heldAt(usdc, block), yield* chain.deliverableAt(usdc, block)]
        expect([held.block, most.block]).toEqual([block, block])
        expect(yield* chain.inventoryOf(usdc)).toBe(held.amount < most.amount ? held.amount : most.amount)
        yield* node.mine()
        expect(yield* chain.heldAt(usdc, 0n)).toEqual({ ...held, block: block + 1n })
      })
    )

    it.effect("are read at the height that a node returned, not at a newer block", () =>
      Effect.gen(function* () {
        const { chainWith, mint, node, usdc } = yield* EvmFixture
        const lagging = yield* Proxy.make({ target: node.rpcUrl })
        const chain = yield* chainWith({ rpcUrls: [lagging.rpcUrl] })
        const to = freshAddress()
        yield* lagging.set("eth_getBlockByNumber", moved(-1n))
        yield* mint(usdc, to, 7n)
        const block = yield* height
        expect(yield* chain.balanceAt(usdc, to, 0n)).toEqual({ amount: 0n, block: block - 1n })
        yield* node.mine()
        expect(yield* chain.balanceAt(usdc, to, block)).toEqual({ amount: 7n, block })
      }).pipe(Effect.scoped)
    )

    it.effect("are not read from a node that does not have the block yet", () =>
      Effect.gen(function* () {
        const { chain, node, usdc, vault } = yield* EvmFixture
        const next = (yield* height) + 1n
        const error = yield* Effect.flip(chain.balanceAt(usdc, vault, next))
        expect(error).toMatchObject(behind)
        expect(error.message).toBe(`A node is at block ${next - 1n}, but block ${next} is required.`)
        expect(yield* Effect.flip(chain.deliverableAt(usdc, next))).toMatchObject(behind)
        yield* node.mine()
        expect(yield* chain.deliverableAt(usdc, next)).toMatchObject({ block: next })
      })
    )

    it.effect("are read from another node if the first lags behind, or fails for its own height", () =>
      Effect.gen(function* () {
        const { doubled, usdc, vault } = yield* EvmFixture
        const { chain, one, two } = yield* doubled()
        const block = yield* height
        yield* one.set("eth_getBlockByNumber", moved(-1n))
        expect(yield* chain.balanceAt(usdc, vault, block)).toMatchObject({ block })
        // Behind one address there are several nodes: the height is of another than the balance.
        yield* one.set("eth_getBlockByNumber", moved(1n))
        expect(yield* chain.deliverableAt(usdc, block)).toMatchObject({ block })
        // One that is silent is no reason to give up on one that is behind.
        yield* one.set("eth_getBlockByNumber", moved(-1n))
        yield* two.down
        expect(yield* Effect.flip(chain.balanceAt(usdc, vault, block))).toMatchObject(behind)
      }).pipe(Effect.scoped)
    )
  })
})
