/** Reading what a constructor was given, of which nothing is known yet. */
import { SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"

export const invalidInput = (field: string, message: string) =>
  new SwapError.InvalidInput({ field, message: `${field}: ${message}.` })

/** Looking at something that somebody else made can throw; that is a wrong input too, not a crash. */
export const readInput = <A>(
  field: string,
  reading: Effect.Effect<A, SwapError.InvalidInput>
): Effect.Effect<A, SwapError.InvalidInput> =>
  Effect.catchDefect(reading, () => Effect.fail(invalidInput(field, "throws when it is looked at")))
