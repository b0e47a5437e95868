/** What is accepted together can be executed together, on a database. */
import { expect, it } from "@effect/vitest"
import { type Claim, Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import type { Layer } from "effect/Layer"
import { casesOf, isWhole, repeat, seed, seededRandom } from "../../../../../tooling/testing/seededRandom.js"
import { runSet, Unpayable } from "./sets.js"

/** The claims without which some sets cannot be executed. */
const needed: ReadonlyArray<Claim.Kind> = ["input", "approval", "output", "vault", "refund", "gas"]

export const suite = (sets: number, store: Layer<Store.Store, unknown>, timeout: number) => {
  it.effect(
    `executes every swap of ${sets} random sets, in any order`,
    () =>
      Effect.gen(function* () {
        const one = yield* Store.Store
        const refused = new Set<string>()
        let accepted = 0
        for (const index of casesOf(sets)) {
          const set = runSet(one, `set-${index}`, index, seededRandom(seed, index))
          const outcome = yield* Effect.catchDefect(set, (cause) =>
            Effect.die(new Error(`${String(cause)} (${repeat(index)})`))
          )
          for (const kind of outcome.refused) refused.add(kind)
          accepted += outcome.accepted
        }
        if (!isWhole) return
        process.stdout.write(`${accepted} swaps in ${sets} sets were executed\n`)
        expect(accepted).toBeGreaterThan(2 * sets)
        for (const kind of needed) expect(refused).toContain(kind)
      }).pipe(Effect.provide(store)),
    timeout
  )
}

/** Shows that each claim is needed: without it, some set cannot be executed. */
export const controls = (store: Layer<Store.Store, unknown>, timeout: number) => {
  it.effect.each(needed)(
    "finds a swap that cannot be executed if nothing is claimed of a resource: %s",
    (kind) =>
      Effect.gen(function* () {
        const one = yield* Store.Store
        const set = (index: number) =>
          runSet(one, `without ${kind} ${index}`, index, seededRandom(seed, index), (claims) =>
            claims.filter((claim) => claim.kind !== kind)
          )
        for (let index = 0; index < 500; index++) {
          const exit = yield* Effect.exit(set(index))
          if (exit._tag === "Failure" && String(exit.cause).includes(Unpayable.name)) return
        }
        expect.unreachable(`Every swap was executed without claims of ${kind}.`)
      }).pipe(Effect.provide(store)),
    timeout
  )
}
