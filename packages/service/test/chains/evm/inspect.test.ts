import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { EvmFixture, layer as fixtureLayer } from "./fixture.js"

describe("the inspection of an EVM chain", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("names what each node lacks", () =>
      Effect.gen(function* () {
        const { chainWith, node } = yield* EvmFixture
        const make = Proxy.make({ target: node.rpcUrl })
        const [whole, pruned, empty, down] = [yield* make, yield* make, yield* make, yield* make]
        yield* node.mine(3)
        const urls = [whole.rpcUrl, pruned.rpcUrl, empty.rpcUrl, down.rpcUrl] as const
        const chain = yield* chainWith({ rpcUrls: urls })
        const before = yield* chain.inspect
        expect(before.problems).toEqual([])
        yield* pruned.set("eth_getLogs", Proxy.rpcError(-32_000, "history has been pruned for this block"))
        yield* empty.set("eth_getBalance", Proxy.rpcError(-32_000, "missing trie node"))
        yield* down.down
        const { problems, warnings } = yield* chain.inspect
        const where = "Chain 31337 (devnet-a): the node 127.0.0.1"
        expect(problems).toEqual([
          expect.stringMatching(
            new RegExp(
              `^${where}:${empty.port} does not have the state of its final block, \\d+ blocks ago`.replaceAll(
                /[()]/g,
                "\\$&"
              )
            )
          )
        ])
        expect(warnings.filter((warning) => !before.warnings.includes(warning))).toEqual([
          expect.stringMatching(new RegExp(`127.0.0.1:${pruned.port} does not return logs from \\d+ blocks ago`))
        ])
      }).pipe(Effect.scoped)
    )

    it.effect("compares each token's caps with the largest swap and the inventory", () =>
      Effect.gen(function* () {
        const { chain, setCap, setRefundCap, usdc } = yield* EvmFixture
        const inspected = Effect.gen(function* () {
          const { problems, warnings } = yield* chain.inspect
          return [problems, warnings].map((all) => all.filter((one) => one.includes("USDC")))
        })
        yield* setCap(usdc, 0n)
        expect(yield* inspected).toEqual([
          [
            "Chain 31337 (devnet-a): the vault's cap for USDC is 0, so it delivers none. The vault's owner can set it with setCap."
          ],
          []
        ])
        yield* setCap(usdc, 1_000_000n)
        expect(yield* inspected).toEqual([
          [],
          [expect.stringMatching(/: the vault has [\d.]+ USDC, but its cap is only 1 USDC per hour\.$/)]
        ])
        yield* setRefundCap(usdc, 0n)
        expect((yield* inspected)[0]).toEqual([expect.stringContaining("the vault's refund cap for USDC is 0")])
        yield* setCap(usdc, 2n ** 200n)
        yield* setRefundCap(usdc, 2n ** 200n)
        expect(yield* inspected).toEqual([[], []])
      })
    )
  })
})
