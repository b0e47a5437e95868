/** Commands whose handlers are loaded only when they run, which keeps help and completions fast. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"

/** Creates a command that, when it runs, imports a module and calls one of its functions. */
export const lazyCommand = <N extends string, C extends Command.Command.Config, K extends string, A, E, R>(
  name: N,
  description: string,
  config: C,
  load: () => Promise<{
    readonly [handler in K]: (input: Command.Command.Config.Infer<C>) => Effect.Effect<A, E, R>
  }>,
  handler: K,
  examples: ReadonlyArray<Command.Command.Example> = []
) =>
  Command.make(name, config, (input) => Effect.flatMap(Effect.promise(load), ({ [handler]: run }) => run(input))).pipe(
    Command.withDescription(description),
    Command.withExamples(examples)
  )
