import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Claim } from "../../src/domain/Claim.js"
import { type Call, decide } from "../../src/store/acceptance/decide.js"
import { held, order, weth } from "../../src/testing/storeContract/fixture.js"

const claim = (over: Partial<Claim>): Claim => ({
  phase: "delivery",
  kind: "gas",
  name: "1",
  amount: 60n,
  limit: held(100n),
  ...over
})

/** Decides calls in one group. The database has no swaps and no claims. */
const decisions = (...some: ReadonlyArray<Pick<Call, "swap"> & Partial<Pick<Call, "claims">>>) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const calls = some.map((one) => ({ claims: [], until: Infinity, clock, ...one }) as unknown as Call)
    const none = { id: undefined, accountId: undefined, operationHash: undefined, nonceUsed: false }
    const orders = new Map(calls.map((_, index) => [index, none]))
    return (yield* decide(calls, { orders, usages: new Map() })).map(({ _tag }) => _tag)
  })

/** Decides orders with these claims in one group. */
const decisionsOfClaims = (...groups: ReadonlyArray<ReadonlyArray<Claim>>) =>
  decisions(...groups.map((claims, index) => ({ swap: order(index), claims })))

describe("the claims of a group", () => {
  it.effect("add up, those of one swap and those of the swaps before it", () =>
    Effect.gen(function* () {
      expect(yield* decisionsOfClaims([claim({})], [claim({ amount: 40n })])).toEqual(["Inserted", "Inserted"])
      expect(yield* decisionsOfClaims([claim({})], [claim({ amount: 41n })])).toEqual(["Inserted", "Exceeded"])
      expect(yield* decisionsOfClaims([claim({}), claim({ phase: "refund" })])).toEqual(["Exceeded"])
    })
  )

  it.effect("on a refund count against what the vault holds", () =>
    Effect.gen(function* () {
      const refund = claim({ phase: "refund", kind: "refund" })
      expect(yield* decisionsOfClaims([refund], [claim({ kind: "vault", amount: 41n })])).toEqual([
        "Inserted",
        "Exceeded"
      ])
    })
  )
})

describe("the operation nonces of a group", () => {
  it.effect("belong to one swap of a wallet each", () =>
    Effect.gen(function* () {
      const { operation } = order(1)
      const swaps = [order(1), order(2, { operation }), order(3, { operation, wallet: weth })]
      // The unique index would also refuse the second swap, but then the group is rolled back and split.
      expect(yield* decisions(...swaps.map((swap) => ({ swap })))).toEqual(["Inserted", "NonceUsed", "Inserted"])
    })
  )
})
