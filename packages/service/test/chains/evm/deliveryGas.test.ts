import { describe, layer } from "@effect/vitest"
import { HookToken } from "@geoswap/contracts/testing"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { type Address, encodeDeployData, encodeFunctionData, type Hash } from "viem"
import { expect } from "vitest"
import * as Burner from "../../../../../tooling/testing/burner.js"
import { EvmFixture, fresh32, freshAddress, layer as fixtureLayer, native } from "./fixture.js"

const cap = 100_000n

describe("EvmChain.deliveryGas", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    const burner = Effect.gen(function* () {
      const { byOwner } = yield* EvmFixture
      const { created } = yield* byOwner(undefined, Burner.bytecode)
      return { address: created, set: (burns: boolean) => byOwner(created, Burner.burning(burns)) }
    })

    /** Delivers, and returns the gas that was used. */
    const delivered = Effect.fnUntraced(function* (token: Address, to: Address, orderId: string = fresh32()) {
      const { client, node, send, sendJob } = yield* EvmFixture
      const { hash } = yield* send({ ...sendJob("deliver", token, to, 1_000n), orderId })
      yield* node.mine()
      const { gasUsed, status } = yield* Effect.promise(() => client.getTransactionReceipt({ hash: hash as Hash }))
      expect(status).toBe("success")
      return gasUsed
    })

    const gasOf = (token: Address, to?: Address) =>
      Effect.flatMap(EvmFixture, ({ chain }) =>
        chain.deliveryGas({ token, amount: 1n, ...(to !== undefined && { to }) })
      )

    it.effect("is at most 3% more than a recipient without code uses", () =>
      Effect.gen(function* () {
        const { chain, usdc } = yield* EvmFixture
        // The vault has counted no delivery of this token yet, which is more expensive once.
        for (const token of [native, usdc]) yield* delivered(token, freshAddress())
        for (const token of [native, usdc]) {
          const to = freshAddress()
          for (const isHolder of [false, true]) {
            const [{ charged, needed }, unknown] = [yield* gasOf(token, to), yield* gasOf(token)]
            const used = yield* delivered(token, to)
            expect(needed * 100n).toBeLessThanOrEqual(used * 104n)
            for (const gas of isHolder ? [charged, unknown.charged] : [charged]) {
              expect(gas).toBeGreaterThanOrEqual(used)
              expect(gas * 100n).toBeLessThanOrEqual(used * 103n)
            }
          }
        }
        // Orders whose ids differ only in the last byte share a storage slot, which only the first of them opens.
        const to = freshAddress()
        const prefix = fresh32().slice(0, -2)
        const gas = (last: string) =>
          Effect.map(
            chain.deliveryGas({ token: usdc, amount: 1n, to, orderId: `${prefix}${last}` }),
            ({ charged }) => charged
          )
        const before = yield* gas("ff")
        yield* delivered(usdc, freshAddress(), `${prefix}00`)
        expect(before - (yield* gas("ff"))).toBeGreaterThan(17_000n)
      })
    )

    it.effect("is hardly more than usual for a wallet delegated to our account, and covers the gas used", () =>
      Effect.gen(function* () {
        const { chain, client } = yield* EvmFixture
        const to = freshAddress()
        yield* delivered(native, to)
        yield* Effect.promise(() =>
          client.setCode({ address: to, bytecode: `0xef0100${chain.delegate.slice(2)}` as const })
        )
        const { charged, needed } = yield* gasOf(native, to)
        expect(charged).toBeLessThan(75_000n)
        expect(needed).toBeLessThanOrEqual(charged)
        expect(yield* delivered(native, to)).toBeLessThanOrEqual(charged)
      })
    )

    it.effect("is what the recipient's code uses with the gas limit of a delivery", () =>
      Effect.gen(function* () {
        const { chain } = yield* EvmFixture
        const { address, set } = yield* burner
        yield* delivered(native, address)
        const cheap = yield* gasOf(native, address)
        expect(cheap.charged).toBeLessThan(75_000n)
        yield* set(true)
        const dear = yield* gasOf(native, address)
        expect(dear.charged).toBe(dear.needed)
        const used = yield* delivered(native, address)
        expect(used).toBeGreaterThan(150_000n)
        // An access list moves some of the cost of first reads.
        expect(dear.charged).toBeGreaterThanOrEqual(used)
        expect(dear.charged * 95n).toBeLessThanOrEqual(used * 100n)
        // The same is what a quote charges for.
        const query = { kind: "deliver", token: native, party: address, opensAccount: false } as const
        const [cost, known] = [yield* chain.costOf(query), yield* chain.costOf({ ...query, gas: dear.charged })]
        expect(cost).toBe(known)
        yield* set(false)
        expect(yield* gasOf(native, address)).toEqual(cheap)
      })
    )

    it.effect("is all that the vault gives a recipient with code, if no node can measure it or it would revert", () =>
      Effect.gen(function* () {
        const { pause, proxied, unpause } = yield* EvmFixture
        const { chain, proxy } = yield* proxied()
        const { address } = yield* burner
        const gas = Effect.suspend(() => chain.deliveryGas({ token: native, to: address, amount: 1n }))
        yield* proxy.set("eth_createAccessList", Proxy.rpcError(-32601, "the method does not exist"))
        expect(yield* gas).toEqual({ charged: 95_000n + cap, needed: 95_000n + cap })
        yield* proxy.clear()
        yield* pause
        expect(yield* gas).toEqual({ charged: 95_000n + cap, needed: 0n })
        const to = freshAddress()
        expect(yield* chain.deliveryGas({ token: native, to, amount: 1n })).toEqual({ charged: 95_000n, needed: 0n })
        yield* unpause
      }).pipe(Effect.scoped)
    )

    it.effect("includes the code of a token", () =>
      Effect.gen(function* () {
        const { byOwner, mint, setCap, vault } = yield* EvmFixture
        const { address, set } = yield* burner
        yield* set(true)
        const { abi, bytecode } = HookToken
        const { created: token } = yield* byOwner(undefined, encodeDeployData({ abi, bytecode }))
        yield* mint(token, vault, 1_000_000n)
        yield* setCap(token, 1_000_000n)
        const to = freshAddress()
        yield* delivered(token, to)
        expect((yield* gasOf(token, to)).charged).toBeLessThan(92_000n)
        const args = [vault, address, "0x", true] as const
        yield* byOwner(token, encodeFunctionData({ abi, functionName: "hook", args }))
        const { charged, needed } = yield* gasOf(token, to)
        expect(needed).toBeGreaterThan(500_000n)
        // A real amount has more bytes than the amount in the estimate.
        expect(charged).toBe(needed + 100n)
        // The same is true for an unknown recipient.
        expect((yield* gasOf(token)).charged).toBeGreaterThan(500_000n)
      })
    )
  })
})
