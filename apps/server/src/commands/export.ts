/** Defines `geoswap-server export`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { booleanFlag, nonEmpty, period, valueFlag } from "./flags.js"
import { lazyHandler } from "./lazyHandler.js"
import { validatePeriod } from "./swaps.js"
import { UsageError } from "./UsageError.js"

const runExport = lazyHandler(async () => (await import("./exportHandler.js")).exportSwaps)

/** Exports the swaps. */
export const exportSwaps = Command.make(
  "export",
  {
    ...period,
    format: Flag.Literals("format", ["jsonl", "csv"]).pipe(
      Flag.withMetavar("format"),
      Flag.withDescription("One JSON object per line, or CSV (default: jsonl)"),
      Flag.withDefault("jsonl")
    ),
    output: valueFlag("output", {
      metavar: "file",
      description: "Write to this file, which appears only when the export is complete (default: standard output)",
      expected: "a file path",
      parse: nonEmpty
    }),
    json: booleanFlag("json", "Same as --format jsonl")
  },
  (flags) =>
    Effect.andThen(
      flags.json && flags.format === "csv"
        ? Effect.fail(new UsageError({ message: "--json and --format csv cannot be combined." }))
        : validatePeriod(flags),
      runExport(flags)
    )
).pipe(Command.withDescription("Export all swaps for bookkeeping, oldest first"))
