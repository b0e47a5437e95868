/** Defines `geoswap completions`: prints a completion script for a shell. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as Effect from "effect/Effect"
import { globals } from "../../flags/Flags.js"
import { Output } from "../../output/Output.js"

/** The global flags, as completion descriptors. */
export const globalFlags = (): ReadonlyArray<Completions.FlagDescriptor> => {
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

/** How to install the script in each shell. */
const installations = {
  bash: `eval "$(geoswap completions bash)"   # in ~/.bashrc`,
  zsh: "geoswap completions zsh > ~/.zfunc/_geoswap   # with ~/.zfunc in fpath",
  fish: "geoswap completions fish > ~/.config/fish/completions/geoswap.fish"
} as const

/** Replaces the framework's installation hint, which names a flag that this program does not have. */
const withInstallation = (script: string, shell: keyof typeof installations): string =>
  script
    .replace(/^# {3}geoswap --completions .*$/m, () => `#   ${installations[shell]}`)
    .replace(/^# {3}then add ~\/\.zsh\/completions .*\n/m, "")

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
        const script = withInstallation(
          Completions.generate("geoswap", shell, withGlobals(Completions.fromCommand(program()), globalFlags())),
          shell
        )
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
