/** Checks the store for unfinished swaps. */
import * as Effect from "effect/Effect"
import { make } from "../../swap/stateFiles.js"
import type { Settings } from "../../config/Settings.js"
import { quoteArgument } from "../../output/shellQuote.js"
import { fail, type Finding, ok, orFail, warn } from "./finding.js"

/** Checks the store. */
export const checkStore = (settings: Settings): Effect.Effect<ReadonlyArray<Finding>> =>
  orFail(
    "store",
    Effect.map(make(settings).contents, ({ damaged, unfinished }) => {
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
    })
  )
