/** Runs reads concurrently. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

type Reads = ReadonlyArray<Effect.Effect<unknown, unknown>>

type Values<T extends Reads> = { -readonly [I in keyof T]: T[I] extends Effect.Effect<infer A, unknown> ? A : never }

type Errors<T extends Reads> = T[number] extends Effect.Effect<unknown, infer E> ? E : never

/** The values of reads that have all succeeded already. */
const valuesOf = (reads: Reads): ReadonlyArray<unknown> | undefined => {
  const values: Array<unknown> = []
  for (const read of reads) {
    if (!Exit.isExit(read) || !Exit.isSuccess(read)) return undefined
    values.push(read.value)
  }
  return values
}

/**
 * Runs all reads concurrently, and returns their values in the same order. `Effect.all` starts a fiber for each read,
 * which takes longer than the arithmetic of a quote. Most reads return a cached value, and such reads need no fiber.
 */
export const together = <const T extends Reads>(reads: T): Effect.Effect<Values<T>, Errors<T>> => {
  const values = valuesOf(reads)
  const all = values === undefined ? Effect.all(reads, { concurrency: "unbounded" }) : Effect.succeed(values)
  return all as Effect.Effect<Values<T>, Errors<T>>
}
