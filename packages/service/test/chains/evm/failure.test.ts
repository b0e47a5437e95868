import { describe, layer } from "@effect/vitest"
import { TestToken } from "@geoswap/contracts/testing"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { encodeFunctionData } from "viem"
import { expect } from "vitest"
import type { CollectJob } from "../../../src/domain/Job.js"
import { EvmFixture, freshAddress, layer as fixtureLayer } from "./fixture.js"

describe("EvmChain.failureAt", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("is why a collection fails after a block, and nothing after a block in which it succeeds", () =>
      Effect.gen(function* () {
        const { client, collectJob, doubled, newWallet, node, pause, send, unpause, usdc } = yield* EvmFixture
        const { chain, one: liar, two: other } = yield* doubled()
        const wallet = yield* newWallet(20n)
        yield* send(yield* collectJob(wallet, 5n, { authorizeAt: 0 }))
        yield* node.mine()
        const job = yield* collectJob(wallet, 10n, { nonce: 1n })
        const height = () => Effect.promise(() => client.getBlockNumber({ cacheTime: 0 }))
        const codeAt = (block: bigint, given: CollectJob = job) =>
          Effect.map(chain.failureAt(given, block), (reason) => reason?.code)
        const before = yield* height()
        expect(yield* codeAt(before)).toBeUndefined()
        expect(yield* codeAt(before, { ...job, amount: 16n })).toBeDefined()

        const data = encodeFunctionData({ abi: TestToken.abi, functionName: "transfer", args: [freshAddress(), 15n] })
        yield* Effect.promise(async () => {
          await client.setBalance({ address: wallet.address, value: 10n ** 18n })
          await client.sendTransaction({ account: wallet, chain: null, to: usdc, data })
        })
        yield* node.mine()
        const after = yield* height()
        expect(yield* codeAt(after)).toBe("INSUFFICIENT_BALANCE")
        // The wallet had the tokens before.
        expect(yield* codeAt(before)).toBeUndefined()
        yield* pause
        expect(yield* codeAt(yield* height())).toBe("VAULT_PAUSED")
        yield* unpause

        // One node alone proves nothing, and a node without the block has not answered.
        yield* liar.set("eth_call", Proxy.rpcError(3, "execution reverted"), 1)
        expect(yield* codeAt(before)).toBeUndefined()
        yield* other.set("eth_call", Proxy.rpcError(-32_001, "header not found"))
        expect(yield* Effect.flip(chain.failureAt(job, after))).toMatchObject({ _tag: "ChainUnavailable" })
      }).pipe(Effect.scoped)
    )
  })
})

describe("a transaction", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("is refused only if every node refuses it because of the wallet", () =>
      Effect.gen(function* () {
        const { chain: plain, doubled, nextNonce, node, sendJob, usdc } = yield* EvmFixture
        const { chain, one, two } = yield* doubled()
        const attempt = yield* plain.sign(
          yield* plain.prepare(sendJob("deliver", usdc, freshAddress(), 1n)),
          yield* nextNonce
        )
        const refuses = Proxy.rpcError(-32_000, "gapped-nonce tx from delegated accounts")
        yield* one.set("eth_sendRawTransaction", refuses)
        yield* two.set("eth_sendRawTransaction", Proxy.rpcError(-32_603, "Internal error"))
        expect(yield* Effect.flip(chain.broadcast(attempt))).toMatchObject({ _tag: "ChainUnavailable" })
        yield* two.set("eth_sendRawTransaction", Proxy.rpcError(-32_000, "transaction underpriced"))
        expect(yield* Effect.flip(chain.broadcast(attempt))).toMatchObject({ _tag: "ChainUnavailable" })
        yield* two.set("eth_sendRawTransaction", refuses)
        expect(yield* Effect.flip(chain.broadcast(attempt))).toMatchObject({ _tag: "Refused" })
        yield* two.clear("eth_sendRawTransaction")
        yield* chain.broadcast(attempt)
        yield* node.mine()
      }).pipe(Effect.scoped)
    )
  })
})
