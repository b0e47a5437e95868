/** The doctor's look at the journal: swaps that were signed here and have no known end. */
import * as Effect from "effect/Effect"
import { make } from "../swap/FileJournal.js"
import type { Shape as SettingsShape } from "../config/Settings.js"
import { forShell } from "../output/shellQuote.js"
import { fail, type Finding, ok, orFail, warn } from "./finding.js"

/** Looks at the journal. */
export const lookAtJournal = ({ stateFolder }: SettingsShape): Effect.Effect<ReadonlyArray<Finding>> =>
  orFail(
    "journal",
    Effect.map(make(stateFolder).contents, ({ damaged, unfinished }) => {
      const left = unfinished.filter(({ busy }) => !busy)
      return [
        left.length === 0
          ? ok("journal", "no swap without a known end")
          : warn(
              "journal",
              left.length === 1 ? "a swap has no known end" : `${left.length} swaps have no known end`,
              left.map(({ flow }) => `geoswap resume ${forShell(flow.id)}`).join("; ")
            ),
        ...damaged.map((path) => fail("journal", `${path} is damaged`, "A swap may depend on it: look at it by hand."))
      ]
    })
  )
