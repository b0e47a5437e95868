/** Prints results to standard output and notes to standard error. */
import * as Effect from "effect/Effect"

/** Prints a line to standard output, for users or programs. */
export const print = (text: string): Effect.Effect<void> => Effect.sync(() => void process.stdout.write(`${text}\n`))

/** Prints a line for users to standard error, so that programs can parse standard output. */
export const printNote = (text: string): Effect.Effect<void> =>
  Effect.sync(() => void process.stderr.write(`${text}\n`))
