/** Runs a command: handles signals and returns the exit code. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/**
 * Signals that arrive within this time are treated as one. A single Ctrl-C arrives more than once: from the terminal,
 * and from npm, which forwards it.
 */
const sameSignalMillis = 1_000

/**
 * Interrupts the program on the first signal, and exits immediately on a later signal. Either way, no chain process is
 * left running.
 */
const onSignals = (interrupt: () => void): void => {
  let interruptedAt: number | undefined
  const end = () => {
    if (interruptedAt === undefined) {
      interruptedAt = performance.now()
      interrupt()
    } else if (performance.now() - interruptedAt > sameSignalMillis) process.exit(130)
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end)
  // The process that started us has exited.
  process.once("disconnect", interrupt)
}

const causeMessage = (cause: Cause.Cause<{ readonly message: string }>): string =>
  cause.reasons.find(Cause.isFailReason)?.error.message ?? `This is a bug. Please report it: ${Cause.pretty(cause)}`

/** Runs a program until it finishes or a signal interrupts it. `interrupted` is the exit code in the latter case. */
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
