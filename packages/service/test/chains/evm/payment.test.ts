import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { getAddress } from "viem"
import { expect } from "vitest"
import { EvmFixture, fresh32, freshAddress, layer as fixtureLayer } from "./fixture.js"

const unproven = (words: string) => ({ _tag: "Unproven", message: expect.stringContaining(words) as string })

describe("EvmChain.paymentIn", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("is proven by the vault's event, once it is final for a quorum", () =>
      Effect.gen(function* () {
        const { doubled, node, refundByOwner, sendJob, usdc } = yield* EvmFixture
        const { chain, one } = yield* doubled()
        const job = sendJob("refund", usdc, freshAddress(), 9n)
        expect(yield* chain.paymentIn(job.orderId, fresh32())).toMatchObject(unproven("does not have this transaction"))
        const { hash } = yield* refundByOwner(job)
        expect(yield* chain.paymentIn(job.orderId, hash)).toMatchObject(unproven("is not final yet"))
        yield* node.mine(2)
        const paid = { _tag: "Paid", kind: "refund", to: getAddress(job.to), amount: 9n, hash }
        expect(yield* chain.paymentIn(job.orderId, hash)).toMatchObject(paid)
        expect(yield* chain.paymentIn(job.orderId.toUpperCase().replace("X", "x"), hash)).toMatchObject(paid)
        expect(yield* chain.paymentIn(fresh32(), hash)).toMatchObject(unproven("shows no payment"))

        // One of two nodes hides it, shows a different one, or is down: no quorum.
        yield* one.set("eth_getTransactionReceipt", Proxy.receiptMissing)
        expect(yield* chain.paymentIn(job.orderId, hash)).toMatchObject(unproven("does not have this transaction"))
        const inflated = Proxy.change((receipt) => {
          const { logs, ...rest } = receipt as { readonly logs: ReadonlyArray<{ readonly data: string }> }
          return { ...rest, logs: logs.map((log) => ({ ...log, data: log.data.replace(/9$/, "a") })) }
        })
        yield* one.set("eth_getTransactionReceipt", inflated)
        expect(yield* chain.paymentIn(job.orderId, hash)).toMatchObject(unproven("refund payment of 10 units of"))
        const moved = Proxy.change((receipt) => ({ ...(receipt as object), blockHash: fresh32() }))
        yield* one.set("eth_getTransactionReceipt", moved)
        expect(yield* chain.paymentIn(job.orderId, hash)).toMatchObject(unproven("not part of the chain"))
        yield* one.down
        expect(yield* Effect.flip(chain.paymentIn(job.orderId, hash))).toMatchObject({ _tag: "ChainUnavailable" })
      }).pipe(Effect.scoped)
    )

    it.effect("ignores the same event of another contract", () =>
      Effect.gen(function* () {
        const { chain, chainWith, deployVault, node, refundByOwner, sendJob, usdc } = yield* EvmFixture
        const other = yield* deployVault(0n)
        const unlisted = yield* chainWith({ vaults: [{ address: other.vault, delegate: other.account }] })
        const job = sendJob("refund", usdc, freshAddress(), 9n)
        const { hash } = yield* refundByOwner(job)
        yield* node.mine(2)
        expect(yield* chain.paymentIn(job.orderId, hash)).toMatchObject({ _tag: "Paid" })
        expect(yield* unlisted.paymentIn(job.orderId, hash)).toMatchObject(unproven("shows no payment"))
      }).pipe(Effect.scoped)
    )
  })
})
