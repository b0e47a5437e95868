import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { anyBlock, claimsOf, notBefore } from "../../src/admission/readClaims.js"
import type { Chain } from "../../src/chains/Chains.js"
import type { MostCostQuery } from "../../src/chains/Draft.js"
import { type Claim, nameOf } from "../../src/domain/Claim.js"
import type { Accepted, EvmOperation } from "../../src/domain/SwapRecord.js"
import { plainChain } from "../../src/testing/plainChain.js"
import { order } from "../../src/testing/storeContract/fixture.js"

const whole = 2n ** 256n - 1n
/** A swap whose amounts differ. */
const swap = order(1, { amount: 10n, output: 4n, visitor: "visitor-1" })
const { inputToken, originChain, destinationChain, outputToken, wallet } = swap

const payment = (over: Partial<EvmOperation>): Accepted => {
  if (swap.operation._tag !== "evm") throw new Error("The order is of an EVM wallet.")
  return { ...swap, operation: { ...swap.operation, ...over } }
}

/** A chain that has 1,000 of everything. Each block has one more. */
const chainOf = (id: number): Chain => {
  const plain = plainChain({
    family: "evm",
    id,
    name: `${id}`,
    tokens: [],
    costOf: () => Effect.succeed(0n),
    balanceOf: () => Effect.succeed(0n)
  })
  if (plain.family !== "evm") throw new Error("It is an EVM chain.")
  const read = (block: bigint) => Effect.succeed({ amount: 1_000n + block, block })
  const costs: Readonly<Record<MostCostQuery["kind"], bigint>> = { collect: 100n, deliver: 200n, refund: 300n }
  return {
    ...plain,
    vault: "vault",
    exposure: { gasPerWallet: 1, gasPerVisitor: 2, gasPerAccount: 3, gasPerChain: 4 },
    exposureOf: () => 7n,
    payments: {
      ...plain.payments,
      limits: { inFlightPerTarget: 5, strikesPerTarget: 1 },
      allowanceAt: (_token, _owner, since) => read(since)
    },
    balanceAt: (_token, _owner, since) => read(since),
    heldAt: (_token, since) => read(since),
    deliverableAt: (_token, since) => read(since),
    refundableAt: (_token, since) => read(since),
    mostCostOf: ({ gas = 0n, kind }) => Effect.succeed(costs[kind] + gas),
    fundsAt: read
  }
}

const read = (one: Accepted, { oldest = anyBlock, relayers = 1 } = {}) =>
  claimsOf(
    {
      swap: one,
      origin: chainOf(originChain),
      destination: chainOf(destinationChain),
      relayersOf: () => Effect.succeed(["relayer", ...Array.from({ length: relayers - 1 }, () => "another")]),
      deliveryGas: 40n
    },
    oldest
  )
const linesOf = (claims: ReadonlyArray<Claim>) =>
  claims.map(({ amount, kind, limit, phase }) => `${phase}: ${kind} ${amount} of ${limit.amount}`)

describe("the claims of a swap", () => {
  it.effect("cover the input, the output, a refund, and the gas of all three", () =>
    Effect.gen(function* () {
      expect(linesOf(yield* read(swap))).toEqual([
        "collection: input 10 of 1000",
        "collection: wallet exposure 7 of 1",
        "collection: visitor exposure 7 of 2",
        "collection: account exposure 7 of 3",
        "collection: chain exposure 7 of 4",
        "delivery: output 4 of 1000",
        "delivery: vault 4 of 1000",
        "refund: refund 10 of 1000",
        "collection: gas 107 of 1000",
        // A quarter more than the quoted gas.
        "delivery: gas 250 of 1000",
        "refund: gas 300 of 1000"
      ])
    })
  )

  it.effect("leave each other relayer a rest that is too small for a transaction", () =>
    Effect.gen(function* () {
      const gas = (yield* read(swap, { relayers: 3 })).filter(({ kind }) => kind === "gas")
      expect(gas.map(({ limit }) => limit.amount)).toEqual([786n, 500n, 400n])
      const none = (yield* read(swap, { relayers: 20 })).filter(({ kind }) => kind === "gas")
      expect(none.map(({ limit }) => limit.amount)).toEqual([0n, 0n, 0n])
    })
  )

  it.effect("of a payment cover its approval and the contract that the wallet delegates to", () =>
    Effect.gen(function* () {
      const own = (claims: ReadonlyArray<Claim>) =>
        linesOf(claims.filter(({ kind }) => kind === "approval" || kind === "target"))
      expect(own(yield* read(payment({ method: "eip3009", target: "0x9" })))).toEqual(["collection: target 1 of 5"])
      expect(own(yield* read(payment({ method: "permit2" })))).toEqual(["collection: approval 10 of 1000"])
      // A permit replaces the approval, so no other payment can use it at the same time.
      expect(own(yield* read(payment({ method: "erc2612" })))).toEqual([`collection: approval ${whole} of ${whole}`])
    })
  )

  it.effect("of a payment to another vault include the refund from that vault", () =>
    Effect.gen(function* () {
      const claims = yield* read(payment({ method: "typed", vault: "0x8" }))
      expect(claims.filter(({ kind }) => kind === "refund").map(({ name }) => name)).toEqual([
        nameOf(originChain, "0x8", inputToken)
      ])
    })
  )

  it.effect("are read at the blocks that the store asks for", () =>
    Effect.gen(function* () {
      const since = [
        { kind: "input", name: nameOf(originChain, inputToken, wallet), block: 42n },
        { kind: "vault", name: nameOf(destinationChain, "vault", outputToken), block: 43n }
      ] as const
      const blocks = (yield* read(swap, { oldest: notBefore(since) })).flatMap(({ kind, limit }) =>
        limit.block === 0n ? [] : [[kind, limit.block]]
      )
      expect(blocks).toEqual([
        ["input", 42n],
        ["vault", 43n]
      ])
    })
  )
})
