/** Handlers that are loaded only when their command runs, which keeps help and completions fast. */
import * as Effect from "effect/Effect"

/** Returns a handler that, when called, imports a module and calls its `run`. */
export const lazyHandler =
  <I, A, E, R>(load: () => Promise<{ readonly run: (input: I) => Effect.Effect<A, E, R> }>) =>
  (input: I): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.promise(load), ({ run }) => run(input))
