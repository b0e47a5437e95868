import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expectTrueCosts, models, type Profile } from "./trueCosts.js"

describe("what quotes charge for transactions", () => {
  it.live.each(Object.keys(models) as ReadonlyArray<Profile>)(
    "covers what they cost on %s, and little more",
    (profile) => Effect.scoped(expectTrueCosts(profile, 10, 7))
  )
})
