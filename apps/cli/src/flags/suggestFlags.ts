/** Suggests flags for a flag that does not exist: those of the command, and the global ones. */
import type * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import { globalFlags } from "../commands/completions/command.js"

/** The number of characters to insert, remove or replace to get from one text to the other. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, char] of [...one].entries()) {
    const next = [at + 1]
    for (let to = 1; to <= other.length; to++) {
      const replaced = (row[to - 1] ?? 0) + (char === other[to - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/** The maximum number of suggestions. */
const limit = 3

/** How far a name is from the flag that was passed. `undefined` if the two are not similar. */
const score = (passed: string, name: string): number | undefined => {
  if (name.startsWith(passed) || passed.startsWith(name)) return 1
  const edits = distance(passed, name)
  return edits <= Math.max(2, Math.floor(passed.length / 3)) ? edits : undefined
}

const flagsAt = (
  { flags, subcommands }: Completions.CommandDescriptor,
  [name, ...rest]: ReadonlyArray<string>
): ReadonlyArray<Completions.FlagDescriptor> => {
  const subcommand = subcommands.find((one) => one.name === name)
  return subcommand === undefined ? flags : flagsAt(subcommand, rest)
}

/** Returns the flags of a command that are similar to `option`, the most similar first. */
export const suggestFlags = (
  program: Command.Command.Any,
  path: ReadonlyArray<string>,
  option: string
): ReadonlyArray<string> => {
  const passed = option.replace(/^-+/, "").toLowerCase()
  if (passed.length < 2) return []
  const flags = [...flagsAt(Completions.fromCommand(program), path.slice(1)), ...globalFlags()]
  return flags
    .flatMap(({ name }) => {
      const edits = score(passed, name)
      return edits === undefined ? [] : [{ name, edits }]
    })
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, limit)
    .map(({ name }) => `--${name}`)
}
