/** Finds swaps and flows by their ids, which may be abbreviated. */
import * as Effect from "effect/Effect"
import { usage, type UsageError } from "../output/Exit.js"
import { sanitize } from "../output/sanitize.js"

/** The minimum length of an abbreviated id. */
const minAbbreviation = 4

/** Finds what has an id, or an id that starts with these characters. Fails if there is more than one. */
export const findById = <A>(
  all: ReadonlyArray<A>,
  id: string,
  idsOf: (one: A) => ReadonlyArray<string | undefined>
): Effect.Effect<A | undefined, UsageError> => {
  const exact = all.find((one) => idsOf(one).includes(id))
  if (exact !== undefined || id.length < minAbbreviation) return Effect.succeed(exact)
  const found = all.flatMap((one) => {
    const match = idsOf(one).find((candidate) => candidate?.startsWith(id))
    return match === undefined ? [] : [{ one, match }]
  })
  if (found.length < 2) return Effect.succeed(found[0]?.one)
  return Effect.fail(
    usage(
      `"${sanitize(id)}" is the start of more than one id.`,
      `Use one of these: ${found.map(({ match }) => sanitize(match)).join(", ")}`
    )
  )
}
