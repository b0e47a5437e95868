/** Prints results to standard output and notes to standard error. */
import * as Effect from "effect/Effect"
import { repeatFlags } from "./suggestedCommands.js"

/** Prints a line to standard output, for users or programs. */
export const print = (text: string): Effect.Effect<void> => Effect.sync(() => void process.stdout.write(`${text}\n`))

/** Prints a text for users to standard output. The commands that it suggests repeat the flags of this run. */
export const printText = (text: string): Effect.Effect<void> => Effect.suspend(() => print(repeatFlags(text)))

/** Formats JSON. Amounts are decimal strings, because many programs read numbers as floating-point numbers. */
export const formatJson = (value: object, indent?: number) =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === "bigint" ? `${field}` : field), indent)

/**
 * Prints a JSON object. A list is always a field with the plural name of what it lists, so that fields can be added
 * beside it.
 */
export const printJson = (value: object) => print(formatJson(value))

/** Prints a line for users to standard error, so that programs can parse standard output. */
export const printNote = (text: string): Effect.Effect<void> =>
  Effect.sync(() => void process.stderr.write(`${repeatFlags(text)}\n`))
