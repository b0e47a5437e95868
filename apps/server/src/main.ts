/** Runs the command line until it finishes or a signal stops it, and returns the exit code. */
import * as Cause from "effect/Cause"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { makeProgram } from "./commands/program.js"
import { describeUsage } from "./commands/UsageError.js"
import * as frameworkServices from "./node/frameworkServices.js"
import { print } from "./output/print.js"
import { repeatFlags } from "./output/suggestedCommands.js"
import { version } from "./version.js"

const usageError = 64

const formatter = CliOutput.defaultFormatter({ colors: false })

/** Prints help and the version. Usage errors are printed elsewhere, together with all other errors. */
const presenter: CliOutput.Presenter = {
  present: (event) => {
    switch (event._tag) {
      case "Help":
        return event.reason === "Implicit" ? Effect.void : print(formatter.formatHelpDoc(event.helpDoc).trimEnd())
      case "Version":
        return print(event.version)
      case "InvalidInvocation":
        return Effect.void
    }
  }
}

const framework = Layer.mergeAll(
  frameworkServices.layer,
  CliOutput.layerPresenter(presenter),
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })
)

/**
 * Signals that arrive within this time are treated as one. A single Ctrl-C may arrive twice: from the terminal, and
 * from npm, which forwards it.
 */
const sameSignalMillis = 300

/** Asks the program to stop on the first signal, and exits immediately on the second. */
const onSignals = (stop: () => void) => {
  let stoppedAt: number | undefined
  const on = (code: number) => () => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now()
      stop()
    } else if (performance.now() - stoppedAt > sameSignalMillis) process.exit(code)
  }
  process.on("SIGINT", on(130)).on("SIGTERM", on(143))
}

/** The message and the exit code for a failure. */
const describeFailure = (cause: Cause.Cause<unknown>) => {
  const error = cause.reasons.find(Cause.isFailReason)?.error
  if (CliError.isCliError(error) && error._tag === "ShowHelp") {
    return { message: describeUsage(error), code: usageError }
  }
  if (!(error instanceof Error && "_tag" in error)) {
    const message = `This is a bug in geoswap-server. Please report it: ${Cause.pretty(cause)}`
    return { message, code: 1 }
  }
  if (error._tag === "UsageError") {
    return { message: `${error.message}\nTry geoswap-server --help`, code: usageError }
  }
  // An invalid name comes from the command line, so it is a usage error.
  return { message: error.message, code: error._tag === "InvalidName" ? usageError : 1 }
}

/** Runs a command line in this process. */
export const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const run = Effect.flatMap(
    Effect.promise(() => makeProgram(args)),
    (program) => Command.runWith(program, { version })(args)
  )
  const fiber = Effect.runFork(Effect.provide(run, framework))
  onSignals(() => Effect.runFork(Fiber.interrupt(fiber)))
  const exit = await Effect.runPromise(Fiber.await(fiber))
  // A server stopped by a signal did what it was asked to do.
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return 0
  const { code, message } = describeFailure(exit.cause)
  process.stderr.write(`${repeatFlags(message)}\n`)
  return code
}
