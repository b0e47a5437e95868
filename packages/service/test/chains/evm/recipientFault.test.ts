import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import type { Address } from "viem"
import { expect } from "vitest"
import { control } from "../../../src/chains/evm/proof/recipientFault.js"
import type { SendJob } from "../../../src/domain/Job.js"
import { EvmFixture, freshAddress, layer as fixtureLayer, native } from "./fixture.js"

/** A contract that refuses native tokens: PUSH1 0, PUSH1 0, REVERT. */
const refusing = Effect.gen(function* () {
  const { client } = yield* EvmFixture
  const address = freshAddress()
  yield* Effect.promise(() => client.setCode({ address, bytecode: "0x60006000fd" }))
  return address
})

describe("EvmChain.recipientAtFault", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("blames a recipient that refuses a delivery, and no other cause", () =>
      Effect.gen(function* () {
        const {
          chain: plain,
          client,
          doubled,
          key,
          node,
          pause,
          sendJob,
          setCap,
          unpause,
          usdc,
          vault
        } = yield* EvmFixture
        const { chain } = yield* doubled()
        yield* setCap(native, 10n ** 24n)
        yield* node.mine()
        const contract = yield* refusing
        const job = (to: Address, amount = 1n, token = native) => sendJob("deliver", token, to, amount)
        const atFault = (given: SendJob) => chain.recipientAtFault(given)
        expect(yield* atFault(job(contract))).toBe(true)
        // It takes tokens.
        expect(yield* atFault(job(contract, 1n, usdc))).toBe(false)
        expect(yield* atFault(job(freshAddress()))).toBe(false)
        expect(yield* atFault(job(control))).toBe(false)
        expect(yield* Effect.promise(() => client.getCode({ address: control }))).toBeUndefined()
        expect(control).not.toBe(key.address.toLowerCase())

        const inventory = yield* plain.balanceOf(native, vault)
        expect(yield* atFault(job(contract, inventory))).toBe(true)
        expect(yield* atFault(job(contract, inventory + 1n))).toBe(false)
        yield* setCap(native, 5n)
        expect(yield* atFault(job(contract, 5n))).toBe(true)
        expect(yield* atFault(job(contract, 6n))).toBe(false)
        yield* pause
        expect(yield* atFault(job(contract))).toBe(false)
        yield* unpause
        expect(yield* atFault(job(contract))).toBe(true)
        yield* setCap(native, 10n ** 24n)
      }).pipe(Effect.scoped)
    )

    it.effect("blames a recipient with code for a delivery that reverted, even if it would accept it now", () =>
      Effect.gen(function* () {
        const { client, doubled, nextNonce, node, sendJob, setCap } = yield* EvmFixture
        const { chain } = yield* doubled()
        yield* setCap(native, 10n ** 24n)
        const [accepting, plain] = [freshAddress(), freshAddress()]
        yield* Effect.promise(() => client.setCode({ address: accepting, bytecode: "0x00" }))
        yield* node.mine()
        for (const [to, isBlamed] of [[accepting, true] as const, [plain, false] as const]) {
          const job = sendJob("deliver", native, to, 1n)
          const reverted = yield* chain.sign(yield* chain.prepare(job), yield* nextNonce)
          expect(yield* chain.recipientAtFault(job, reverted)).toBe(isBlamed)
          expect(yield* chain.recipientAtFault(job)).toBe(false)
        }
      }).pipe(Effect.scoped)
    )

    it.effect("blames no one if the nodes disagree, and is unknown below the quorum", () =>
      Effect.gen(function* () {
        const { doubled, node, sendJob } = yield* EvmFixture
        const { chain, one: liar, two: honest } = yield* doubled()
        const job = sendJob("deliver", native, freshAddress(), 1n)
        // Only the recipient's call.
        const lie = liar.set("eth_call", Proxy.rpcError(3, "execution reverted"), 1)
        yield* lie
        expect(yield* chain.recipientAtFault(job)).toBe(false)
        yield* honest.down
        yield* lie
        expect(yield* Effect.flip(chain.recipientAtFault(job))).toMatchObject({ _tag: "ChainUnavailable" })
        yield* honest.up
        // A node that fails the call for another reason has not answered.
        const contract = yield* refusing
        yield* node.mine()
        yield* liar.set("eth_call", Proxy.rpcError(-32603, "Internal error"))
        const error = yield* Effect.flip(chain.recipientAtFault({ ...job, to: contract }))
        expect(error.message).toContain("below its quorum: 1 of 2 nodes responded")
      }).pipe(Effect.scoped)
    )

    it.effect("compares in one block: a block that is replaced in between is not an answer", () =>
      Effect.gen(function* () {
        const { proxied, sendJob } = yield* EvmFixture
        const { chain, proxy } = yield* proxied()
        const job = sendJob("deliver", native, yield* refusing, 1n)
        expect(yield* chain.recipientAtFault(job)).toBe(true)
        let asked = 0
        yield* proxy.set(
          "eth_getBlockByNumber",
          Proxy.change((block) => ({ ...(block as object), hash: `0x${String(asked++).padStart(64, "0")}` }))
        )
        expect((yield* Effect.flip(chain.recipientAtFault(job))).message).toContain("was replaced")
      }).pipe(Effect.scoped)
    )
  })
})
