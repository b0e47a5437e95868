/** Runs the command line, prints errors, and sets the exit code. */
import * as Cause from "effect/Cause"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { program } from "./commands/program.js"
import { codes } from "./output/exitCodes.js"
import { Host } from "./node/Host.js"
import * as logger from "./output/logger.js"
import * as services from "./node/frameworkServices.js"
import * as Output from "./output/Output.js"
import { repeatedFlagsOf } from "./output/suggestedCommands.js"

/** Reads the flags for the output from the arguments, even if the rest of the command line is invalid. */
const outputFlagsOf = (args: ReadonlyArray<string>) => {
  const end = args.indexOf("--")
  const all = end < 0 ? args : args.slice(0, end)
  const flags = new Set(all)
  return {
    json: flags.has("--json"),
    jsonLines: flags.has("--json-lines"),
    plain: flags.has("--plain"),
    ...repeatedFlagsOf(all)
  }
}

/** Prints help and the version to standard output. An invalid command line is reported like any other error. */
const presenter = (output: Output.Output): CliOutput.Presenter => {
  const formatter = CliOutput.defaultFormatter({ colors: output.mode === "terminal" && output.style.bold("") !== "" })
  return {
    present: (event) => {
      switch (event._tag) {
        case "Help":
          // In the JSON modes, a missing command is reported as an error, and no help is shown.
          if (event.reason === "Implicit" && output.isJson) return Effect.void
          return output.write(`${formatter.formatHelpDoc(event.helpDoc).trimEnd()}\n`)
        case "Version":
          return output.write(`${event.version}\n`)
        case "InvalidInvocation":
          return Effect.void
      }
    }
  }
}

/** Reports the cause of a failure, and returns the exit code. */
const reportFailure = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>, output: Output.Output) {
  if (Cause.hasInterruptsOnly(cause)) return codes.interrupted
  const error = Cause.squash(cause)
  // Help was shown because no command was given.
  const helpShown = CliError.isCliError(error) && error._tag === "ShowHelp" && error.errors.length === 0
  if (helpShown && !output.isJson) return codes.usage
  const Exit = yield* Effect.promise(() => import("./output/Exit.js"))
  if (error instanceof Exit.Ended) return error.code
  const explanation = Exit.explain(error)
  yield* Exit.print(explanation, output)
  return explanation.exitCode
})

/**
 * Signals that arrive within this time are treated as one. A single Ctrl-C may arrive twice: from the terminal, and
 * from npm, which forwards it.
 */
const sameSignalMillis = 300

/** Runs a command line on the current host, and returns the exit code. */
export const run = Effect.fnUntraced(function* (args: ReadonlyArray<string>, version: string) {
  const output = Output.make(outputFlagsOf(args), yield* Host)
  return yield* Command.runWith(program, { version })(args).pipe(
    Effect.as<number>(codes.ok),
    Effect.provide(
      Layer.mergeAll(
        services.layer,
        logger.layer(output),
        Layer.succeed(Output.Output, output),
        CliOutput.layerPresenter(presenter(output)),
        CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })
      )
    ),
    Effect.catchCause((cause) => reportFailure(cause, output))
  )
})

/** Runs the program in this process. */
export const main = async (version: string) => {
  const fiber = Effect.runFork(run(process.argv.slice(2), version))
  let stoppedAt: number | undefined
  const stop = () => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now()
      Effect.runFork(Fiber.interrupt(fiber))
    } else if (performance.now() - stoppedAt > sameSignalMillis) {
      // A second signal ends the process immediately.
      process.exit(codes.interrupted)
    }
  }
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
  const exit = await Effect.runPromise(Fiber.await(fiber))
  process.exitCode = exit._tag === "Success" ? exit.value : codes.interrupted
  // An idle connection must not keep the process alive.
  setTimeout(() => process.exit(), 250).unref()
}
