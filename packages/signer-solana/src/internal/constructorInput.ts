/** Reads constructor arguments. */
import type { SwapError } from "@geoswap/core"
import { invalidInput } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"

export { invalidInput }

/** Fails with `InvalidInput` instead of crashing if reading a property of the argument throws. */
export const readInput = <A>(
  field: string,
  reading: Effect.Effect<A, SwapError.InvalidInput>
): Effect.Effect<A, SwapError.InvalidInput> =>
  Effect.catchDefect(reading, () => Effect.fail(invalidInput(field, "cannot be read: one of its properties throws.")))
