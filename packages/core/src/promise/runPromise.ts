import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { abortReason, throwIfAborted } from "../codecs/abortReason.js"

/** Runs a program. Rejects with the program's own error, or with the signal's reason if the signal aborts it. */
export const runPromise = async <A, E>(program: Effect.Effect<A, E>, signal?: AbortSignal): Promise<A> => {
  throwIfAborted(signal)
  const exit = await Effect.runPromiseExit(program, signal && { signal })
  if (exit._tag === "Success") return exit.value
  if (signal?.aborted && Cause.hasInterruptsOnly(exit.cause)) throw abortReason(signal)
  throw Cause.squash(exit.cause)
}
