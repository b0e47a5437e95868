/** The store contract's cases, and helpers for writing them. */
import { ContractViolation } from "@geoswap/core/testing"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Store } from "../../store/Store.js"

/** One case in the suite. Pass `name` and `run` to a test runner. */
export interface StoreCase {
  readonly name: string
  readonly run: Effect.Effect<void, ContractViolation>
}

/** Runs a check with a new, empty store. */
export type WithStore = (
  check: (store: Store) => Effect.Effect<unknown, unknown>
) => Effect.Effect<void, ContractViolation>

/** A case that has not been given a store yet. */
export interface Case {
  readonly name: string
  readonly run: (withStore: WithStore) => Effect.Effect<void, ContractViolation>
}

/** A case that uses one store. */
export const test = (name: string, check: (store: Store) => Effect.Effect<unknown, unknown>): Case => ({
  name,
  run: (withStore) => withStore(check)
})

/** A case that checks many generated values, each with its own store. */
export const property = <S extends Schema.Schema<unknown>>(
  name: string,
  values: S,
  check: (store: Store, value: S["Type"]) => Effect.Effect<unknown, unknown>
): Case => ({
  name,
  run: (withStore) =>
    Arbitrary.checkEffect(
      Arbitrary.schema(values),
      (value) =>
        Effect.as(
          withStore((store) => check(store, value)),
          true
        ),
      { runs: 40 }
    ).pipe(
      Effect.flatMap((result) => {
        const failure = Arbitrary.formatCheckFailure(result)
        return failure === undefined ? Effect.void : Effect.fail(new ContractViolation(failure))
      })
    )
})

/** Prefixes the cases' names with the group's subject, so that each name reads as a sentence. */
export const group = (subject: string, cases: ReadonlyArray<Case>): ReadonlyArray<Case> =>
  cases.map(({ name, run }) => ({ name: `${subject} ${name}`, run }))
