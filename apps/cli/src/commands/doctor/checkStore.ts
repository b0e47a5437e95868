/** Checks the store for unfinished swaps. */
import * as Effect from "effect/Effect"
import { make } from "../../swap/stateFiles.js"
import { quoteArgument } from "../../output/shellQuote.js"
import { fail, ok, orFail, warn } from "./finding.js"

/** Checks the store. */
export const checkStore = orFail(
  "store",
  Effect.map(
    Effect.flatMap(make, ({ contents }) => contents),
    ({ damaged, unfinished }) => {
      const idle = unfinished.filter(({ busy }) => !busy)
      return [
        idle.length === 0
          ? ok("store", "no unfinished swaps")
          : warn(
              "store",
              idle.length === 1 ? "1 unfinished swap" : `${idle.length} unfinished swaps`,
              idle.map(({ flow }) => `geoswap resume ${quoteArgument(flow.id)}`).join("; ")
            ),
        ...damaged.map((path) =>
          fail("store", `${path} is damaged`, "A swap may depend on it, so inspect it manually.")
        )
      ]
    }
  )
)
