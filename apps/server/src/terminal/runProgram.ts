/** Runs a command: its log, the signals that end it, and the exit code that its end means. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Log } from "../commands/parseArgs.js"
import * as Logging from "./logger.js"

/** What a command may end with. */
export interface Problem {
  readonly _tag: string
  readonly message: string
}

/** One press of Ctrl-C may arrive twice: from the terminal, and from npm, which passes it on. */
const sameSignalMillis = 300

/** Asks for the end on the first signal, and ends at once on another one. */
const onSignals = (ask: () => void): void => {
  let asked: number | undefined
  const on = (code: number) => () => {
    if (asked === undefined) {
      asked = performance.now()
      ask()
    } else if (performance.now() - asked > sameSignalMillis) process.exit(code)
  }
  process.on("SIGINT", on(130)).on("SIGTERM", on(143))
}

/** What to tell. */
const wordsOf = (cause: Cause.Cause<Problem>): Problem =>
  cause.reasons.find(Cause.isFailReason)?.error ?? {
    _tag: "Defect",
    message: `This is a defect of geoswap-server, please report it: ${Cause.pretty(cause)}`
  }

/** Runs a program until it ends or a signal asks it to. */
export const run = async <E extends Problem>(program: Effect.Effect<unknown, E>, log: Log): Promise<number> => {
  const logged = Effect.provide(Logging.layer(log))
  process.on("warning", ({ message, name }) => {
    Effect.runFork(logged(Effect.logWarning(`${name}: ${message}`)))
  })
  const fiber = Effect.runFork(logged(program))
  onSignals(() => Effect.runFork(Fiber.interrupt(fiber)))
  const exit = await Effect.runPromise(Fiber.await(fiber))
  // A signal is how a server is told to end: it did as asked.
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return 0
  const { _tag, message } = wordsOf(exit.cause)
  process.stderr.write(`${message}\n`)
  // A name that makes no sense was on the command line.
  return _tag === "InvalidName" ? 64 : 1
}
