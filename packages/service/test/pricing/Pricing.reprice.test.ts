/** A swap is priced again when its input has arrived. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Pricing from "../../src/pricing/Pricing.js"
import * as Venue from "../../src/venue/Venue.js"
import { address, asset, config, venue } from "./fixture.js"

describe("Pricing.reprice", () => {
  const agreed = {
    inputToken: asset(1, "USDC"),
    outputToken: asset(2, "USDC"),
    amount: 1_000n,
    feeBps: 12.5,
    networkCost: 100n
  }

  it.effect("prices the same net input, with the fee and the network cost of the quote", () =>
    Effect.gen(function* () {
      const { reprice } = Pricing.fromVenue(config, venue)
      // 1000 − 100 − ceil(1.25) = 898, less the hair.
      assert.strictEqual(yield* reprice(agreed), 897n)
      assert.strictEqual(yield* reprice({ ...agreed, networkCost: 999n }), 0n)
    })
  )

  it.effect("distinguishes an unavailable venue from a missing price", () =>
    Effect.gen(function* () {
      const { reprice } = Pricing.fromVenue(config, venue)
      const unknown = { ...agreed, outputToken: { ...agreed.outputToken, address: address("9") } }
      assert.instanceOf(yield* Effect.flip(reprice(unknown)), Venue.NoPrice)
      const down = new Venue.VenueUnavailable({ message: "down", timeout: true })
      const failing = Pricing.fromVenue(config, { price: () => Effect.fail(down) })
      assert.strictEqual(yield* Effect.flip(failing.reprice(agreed)), down)
    })
  )
})
