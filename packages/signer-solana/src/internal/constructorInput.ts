/** Reads the arguments of constructors. */
import { SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"

export const invalidInput = (field: string, message: string) =>
  new SwapError.InvalidInput({ field, message: `${field}: ${message}` })

/** Fails with `InvalidInput` instead of crashing if a property of the argument throws. */
export const readInput = <A>(
  field: string,
  reading: Effect.Effect<A, SwapError.InvalidInput>
): Effect.Effect<A, SwapError.InvalidInput> =>
  Effect.catchDefect(reading, () => Effect.fail(invalidInput(field, "cannot be read: one of its properties throws.")))
