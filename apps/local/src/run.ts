/** Runs a command: the signals that end it, and the exit code that its end means. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/** One press of Ctrl-C arrives more than once: from the terminal, and from npm, which passes it on. */
const sameSignalMillis = 1_000

/** Asks for the end on the first signal, and ends at once on a later one. No chain outlives this process either way. */
const onSignals = (interrupt: () => void): void => {
  let interruptedAt: number | undefined
  const end = () => {
    if (interruptedAt === undefined) {
      interruptedAt = performance.now()
      interrupt()
    } else if (performance.now() - interruptedAt > sameSignalMillis) process.exit(130)
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end)
  // Whoever started us is gone.
  process.once("disconnect", interrupt)
}

const causeMessage = (cause: Cause.Cause<{ readonly message: string }>): string =>
  cause.reasons.find(Cause.isFailReason)?.error.message ?? `This is a defect, please report it: ${Cause.pretty(cause)}`

/** Runs a program until it ends or a signal asks it to; `interrupted` is the exit code after that. */
export const run = async <E extends { readonly message: string }>(
  program: Effect.Effect<unknown, E>,
  interrupted: number
): Promise<number> => {
  const fiber = Effect.runFork(program)
  onSignals(() => Effect.runFork(Fiber.interrupt(fiber)))
  const exit = await Effect.runPromise(Fiber.await(fiber))
  if (Exit.isSuccess(exit)) return 0
  if (Cause.hasInterruptsOnly(exit.cause)) return interrupted
  process.stderr.write(`${causeMessage(exit.cause)}\n`)
  return 1
}
