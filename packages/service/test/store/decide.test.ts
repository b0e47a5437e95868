import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Claim } from "../../src/domain/Claim.js"
import { type Call, decide } from "../../src/store/acceptance/decide.js"
import { held, order } from "../../src/testing/storeContract/fixture.js"

const claim = (over: Partial<Claim>): Claim => ({
  phase: "delivery",
  kind: "gas",
  name: "1",
  amount: 60n,
  limit: held(100n),
  ...over
})

/** Decides orders with these claims in one group. Nothing else is claimed. */
const decisions = (...groups: ReadonlyArray<ReadonlyArray<Claim>>) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const calls = groups.map(
      (claims, index) => ({ swap: order(index), claims, until: Infinity, clock }) as unknown as Call
    )
    const none = { id: undefined, accountId: undefined, operationHash: undefined, nonceUsed: false }
    const orders = new Map(groups.map((_, index) => [index, none]))
    return (yield* decide(calls, { orders, usages: new Map() })).map(({ _tag }) => _tag)
  })

describe("the claims of a group", () => {
  it.effect("add up, those of one swap and those of the swaps before it", () =>
    Effect.gen(function* () {
      expect(yield* decisions([claim({})], [claim({ amount: 40n })])).toEqual(["Inserted", "Inserted"])
      expect(yield* decisions([claim({})], [claim({ amount: 41n })])).toEqual(["Inserted", "Exceeded"])
      expect(yield* decisions([claim({}), claim({ phase: "refund" })])).toEqual(["Exceeded"])
    })
  )

  it.effect("on a refund count against what the vault holds", () =>
    Effect.gen(function* () {
      const refund = claim({ phase: "refund", kind: "refund" })
      expect(yield* decisions([refund], [claim({ kind: "vault", amount: 41n })])).toEqual(["Inserted", "Exceeded"])
    })
  )
})
