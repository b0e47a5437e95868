/** Reading what a constructor was given, of which nothing is known yet. */
import { SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"

export const invalidInput = (field: string, message: string) =>
  new SwapError.InvalidInput({ field, message: `${field}: ${message}.` })

/** A member of something that may be anything. */
export const member = (value: unknown, name: string): unknown =>
  (typeof value === "object" && value !== null) || typeof value === "function"
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

/** Whether something has a method of that name, own or inherited. */
export const hasMethod = (value: unknown, name: string): boolean => typeof member(value, name) === "function"

/** Looking at something that somebody else made can throw; that is a wrong input too, not a crash. */
export const guarded = <A>(
  field: string,
  reading: Effect.Effect<A, SwapError.InvalidInput>
): Effect.Effect<A, SwapError.InvalidInput> =>
  Effect.catchDefect(reading, () => Effect.fail(invalidInput(field, "throws when it is looked at")))
