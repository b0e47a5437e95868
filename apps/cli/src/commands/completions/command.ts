/** Defines `geoswap completions`: prints a completion script for a shell. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as Effect from "effect/Effect"
import { globals } from "../../flags/Flags.js"
import { Output } from "../../output/Output.js"

/** The global flags, as completion descriptors. */
const globalFlags = (): ReadonlyArray<Completions.FlagDescriptor> => {
  const flags = Object.fromEntries(globals.map(({ flag, id }) => [id, flag]))
  const builtIn = (name: string, alias: string, description: string): Completions.FlagDescriptor => ({
    name,
    aliases: [alias],
    description,
    type: { _tag: "Boolean" },
    negation: false
  })
  return [
    ...Completions.fromCommand(Command.make("globals", flags)).flags,
    builtIn("help", "h", "Show help"),
    builtIn("version", "v", "Show the version")
  ]
}

const withGlobals = (
  descriptor: Completions.CommandDescriptor,
  flags: ReadonlyArray<Completions.FlagDescriptor>
): Completions.CommandDescriptor => ({
  ...descriptor,
  flags: [...descriptor.flags, ...flags],
  subcommands: descriptor.subcommands.map((subcommand) => withGlobals(subcommand, flags))
})

/** Prints the completion script for a program. */
export const completionsOf = (program: () => Command.Command.Any) =>
  Command.make(
    "completions",
    {
      shell: Argument.Literals("shell", ["bash", "zsh", "fish"]).pipe(
        Argument.withDescription("The shell: bash, zsh or fish")
      )
    },
    ({ shell }) =>
      Effect.gen(function* () {
        const output = yield* Output
        const descriptor = withGlobals(Completions.fromCommand(program()), globalFlags())
        // The comments name a flag of the framework that this program does not have.
        const script = Completions.generate("geoswap", shell, descriptor).replaceAll(/^# .*\n/gm, "")
        // The script is not a text for people, so no flags are added to the commands in it.
        yield* output.isJson ? output.json({ shell, script }) : output.write(`${script.trimEnd()}\n`)
      })
  ).pipe(
    Command.withDescription("Print a shell completion script"),
    Command.withExamples([
      { command: 'eval "$(geoswap completions bash)"', description: "In ~/.bashrc" },
      { command: "geoswap completions zsh > ~/.zfunc/_geoswap", description: "With ~/.zfunc in fpath" },
      { command: "geoswap completions fish > ~/.config/fish/completions/geoswap.fish" }
    ])
  )
