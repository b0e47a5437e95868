/** Handlers that are loaded only when their command runs. Help and completions stay fast because they load none. */
import * as Effect from "effect/Effect"

/** Returns a handler that imports a module when it is called, and runs the module's `run`. */
export const lazyHandler =
  <I, A, E, R>(load: () => Promise<{ readonly run: (input: I) => Effect.Effect<A, E, R> }>) =>
  (input: I): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.promise(load), ({ run }) => run(input))
