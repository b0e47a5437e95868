/** Runs the command line to its end, and says how it ended. */
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
import { ofProcess } from "./node/Host.js"
import * as logger from "./output/logger.js"
import * as services from "./node/frameworkServices.js"
import * as Output from "./output/Output.js"

/** The mode that was asked for, also where the rest of the line makes no sense. */
const modeOf = (args: ReadonlyArray<string>) => {
  const end = args.indexOf("--")
  const flags = new Set(end < 0 ? args : args.slice(0, end))
  return { json: flags.has("--json"), jsonLines: flags.has("--json-lines"), plain: flags.has("--plain") }
}

const isJson = ({ mode }: Output.Shape): boolean => mode === "json" || mode === "json-lines"

/** Help and version go to standard output; what is wrong with the line is told with the other errors. */
const presenter = (output: Output.Shape): CliOutput.Presenter => {
  const formatter = CliOutput.defaultFormatter({ colors: output.mode === "terminal" && output.style.bold("") !== "" })
  return {
    present: (event) => {
      switch (event._tag) {
        case "Help":
          // Where programs read, what was not asked for is an error.
          if (event.reason === "Implicit" && isJson(output)) return Effect.void
          return output.write(`${formatter.formatHelpDoc(event.helpDoc).trimEnd()}\n`)
        case "Version":
          return output.write(`${event.version}\n`)
        case "InvalidInvocation":
          return Effect.void
      }
    }
  }
}

const framework = (output: Output.Shape) =>
  Layer.mergeAll(
    services.layer,
    logger.layer(output),
    CliOutput.layerPresenter(presenter(output)),
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })
  )

/** The exit code of how it ended, once that was told. */
const conclude = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>, output: Output.Shape) {
  if (Cause.hasInterruptsOnly(cause)) return codes.interrupted
  const error = Cause.squash(cause)
  // Help was shown, since no command was named.
  const helped = CliError.isCliError(error) && error._tag === "ShowHelp" && error.errors.length === 0
  if (helped && !isJson(output)) return codes.usage
  const Exit = yield* Effect.promise(() => import("./output/Exit.js"))
  if (error instanceof Exit.Ended) return error.code
  const explanation = Exit.explain(error)
  yield* Exit.tell(explanation, output)
  return explanation.exitCode
})

/** Runs it on this process. */
export const main = async (version: string): Promise<void> => {
  const args = process.argv.slice(2)
  const output = Output.make(modeOf(args), ofProcess())
  const run = Command.runWith(program, { version })(args).pipe(
    Effect.as<number>(codes.ok),
    Effect.provide(framework(output)),
    Effect.catchCause((cause) => conclude(cause, output))
  )
  const fiber = Effect.runFork(run)
  let asked = false
  const stop = () => {
    // Asked twice, nothing is waited for.
    if (asked) process.exit(codes.interrupted)
    asked = true
    Effect.runFork(Fiber.interrupt(fiber))
  }
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
  const exit = await Effect.runPromise(Fiber.await(fiber))
  process.exitCode = exit._tag === "Success" ? exit.value : codes.interrupted
  // Where a connection that idles keeps the process, it does not keep it for long.
  setTimeout(() => process.exit(), 250).unref()
}
