import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { EvmChain } from "../../src/chains/Chains.js"
import * as PaymentMethods from "../../src/calls/paymentMethods.js"
import type { LostCollection } from "../../src/store/LostCollection.js"
import { plainChain } from "../chains/plainChain.js"

const wallet = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const token = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const amount = 10n

/** A chain whose token can be paid in every way, on which Permit2 has an allowance. */
const chainWith = (allowance: bigint): EvmChain => {
  const chain = plainChain({
    family: "evm",
    id: 1,
    name: "Test",
    tokens: [],
    costOf: () => Effect.succeed(0n),
    balanceOf: () => Effect.succeed(0n)
  }) as EvmChain
  return {
    ...chain,
    delegationOf: () => Effect.succeed({ delegation: "none" }),
    payments: {
      ...chain.payments,
      limits: { inFlightPerTarget: 1, lostGasPerHour: 100, strikes: 2, strikesPerTarget: 3 },
      methodsOf: () => ["eip3009", "permit2", "erc2612"],
      allowanceOf: () => Effect.succeed(allowance)
    }
  }
}

const offered = (
  losses: ReadonlyArray<LostCollection>,
  { account = "me", allowance = 0n }: { readonly account?: string; readonly allowance?: bigint } = {}
) =>
  Effect.gen(function* () {
    const store = { losses: { record: () => Effect.void, since: () => Effect.succeed(losses) } }
    const origin = chainWith(allowance)
    const { list } = PaymentMethods.make(yield* Clock.Clock, store)
    const query = { account, origin, destination: origin, wallet, token, amount, recipient: undefined }
    return (yield* list(query)).paymentMethods
  })

/** A collection with EIP-3009 that was lost in this hour, and was not a strike. */
const lost = (account: string, gas: bigint): LostCollection => ({
  swapId: account,
  account,
  chainId: 1,
  method: "eip3009",
  wallet: "0x1",
  gas,
  isStrike: false,
  at: 0
})

describe("the payment methods", () => {
  it.effect.each([
    [0n, ["delegation", "eip3009", "erc2612"]],
    [amount - 1n, ["delegation", "eip3009", "erc2612"]],
    [amount, ["delegation", "eip3009", "permit2"]]
  ] as const)("with an allowance of %s are %s", ([allowance, methods]) =>
    Effect.gen(function* () {
      expect(yield* offered([], { allowance })).toEqual(methods)
    })
  )

  it.effect("are not offered to an account that has spent half of the budget for lost gas, but to others", () =>
    Effect.gen(function* () {
      const losses = [lost("me", 50n)]
      expect(yield* offered(losses)).toEqual(["delegation", "erc2612"])
      expect(yield* offered(losses, { account: "other" })).toContain("eip3009")
      expect(yield* offered([lost("me", 49n)])).toContain("eip3009")
    })
  )

  it.effect("are not offered to anyone once the budget is spent", () =>
    Effect.gen(function* () {
      const losses = [lost("one", 50n), lost("two", 50n)]
      expect(yield* offered(losses, { account: "other" })).toEqual(["delegation", "erc2612"])
    })
  )
})
