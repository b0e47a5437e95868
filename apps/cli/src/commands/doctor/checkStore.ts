/** Checks the store for unfinished swaps. */
import * as Effect from "effect/Effect"
import { quoteArgument } from "../../output/shellQuote.js"
import { make } from "../../swap/stateFiles.js"
import { findingsOn, orFail } from "./finding.js"

/** Checks the store. */
export const checkStore = orFail(
  "store",
  Effect.gen(function* () {
    const { fail, ok, warn } = findingsOn("store")
    const { damaged, unfinished } = yield* (yield* make).contents
    const idle = unfinished.filter(({ busy }) => !busy)
    const resume = idle.map(({ flow }) => `geoswap resume ${quoteArgument(flow.id)}`).join("; ")
    return [
      ...(idle.length === 0
        ? ok("no unfinished swaps")
        : warn(`${idle.length} unfinished ${idle.length === 1 ? "swap" : "swaps"}`, resume)),
      ...damaged.flatMap((path) => fail(`${path} is damaged`, "A swap may depend on it, so inspect it manually."))
    ]
  })
)
