import { describe, layer } from "@effect/vitest"
import { GeoVault } from "@geoswap/contracts"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as Reads from "../../../src/chains/evm/nodes/reads.js"
import * as Nodes from "../../../src/chains/evm/nodes/rpcNodes.js"
import { addressOf } from "../../../src/chains/evm/transactions/vaultCalls.js"
import { EvmFixture, freshAddress, layer as fixtureLayer, native } from "./fixture.js"

const scene = Effect.gen(function* () {
  const { client, config, delegate, node, usdc, vault } = yield* EvmFixture
  const proxy = yield* Proxy.make({ target: node.rpcUrl })
  const reads = Reads.make(Nodes.make({ ...config, rpcUrls: [proxy.rpcUrl] }).ask, config.id)
  const isDelegate = (who: string, address: string) =>
    reads.askContract({
      abi: GeoVault.abi,
      address: addressOf(address),
      functionName: "isDelegate",
      args: [addressOf(who)]
    })
  const stranger = freshAddress()
  const all = Effect.all(
    {
      tokens: reads.balanceOf(usdc, vault),
      same: reads.balanceOf(usdc, vault),
      gas: reads.balanceOf(native, "0x0000000000000000000000000000000000000000"),
      yes: isDelegate(delegate, vault),
      no: isDelegate(stranger, vault),
      reverted: isDelegate(stranger, usdc),
      missing: isDelegate(stranger, stranger),
      code: reads.codeHashOf(addressOf(vault), "latest")
    },
    { concurrency: "unbounded" }
  )
  return { all, client, proxy, reads, usdc, vault }
})

describe("reads of an EVM node at the same time", () => {
  layer(fixtureLayer, { timeout: 60_000 })((it) => {
    it.effect("share one call, and have the same results as separate calls", () =>
      Effect.gen(function* () {
        const { all, proxy, reads, usdc, vault } = yield* scene
        const together = yield* all
        expect(together).toMatchObject({ yes: true, no: false, reverted: undefined, missing: undefined })
        expect(together.tokens).toBe(together.same)
        expect(yield* proxy.callsByMethod).toEqual({ eth_call: 1 })
        expect(yield* reads.balanceOf(usdc, vault)).toBe(together.tokens)
        expect(yield* proxy.callsByMethod).toEqual({ eth_call: 2 })
        // A node that does not support calls without a recipient gets separate calls from that point.
        yield* proxy.set("eth_call", Proxy.rpcError(-32602, "missing field to"), 1)
        expect(yield* all).toEqual(together)
        const before = yield* proxy.calls("eth_call")
        expect(yield* all).toEqual(together)
        expect((yield* proxy.calls("eth_call")) - before).toBe(5)
      }).pipe(Effect.scoped)
    )

    it.effect("use the block that each of them asks for", () =>
      Effect.gen(function* () {
        const { client, reads, usdc } = yield* scene
        const { mint, node } = yield* EvmFixture
        const to = freshAddress()
        const before = yield* Effect.promise(() => client.getBlockNumber())
        yield* mint(usdc, to, 7n)
        yield* node.mine()
        const at = (block: bigint | "latest") => reads.balanceOf(usdc, to, block)
        expect(yield* Effect.all([at(before), at(before + 1n), at("latest")], { concurrency: "unbounded" })).toEqual([
          0n,
          7n,
          7n
        ])
      }).pipe(Effect.scoped)
    )
  })
})
