/** Handlers that are loaded once their command is run: help and completions need none of them. */
import * as Effect from "effect/Effect"

/** The handler `run` of a module, which is loaded when it is called. */
export const lazily =
  <I, A, E, R>(load: () => Promise<{ readonly run: (input: I) => Effect.Effect<A, E, R> }>) =>
  (input: I): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.promise(load), ({ run }) => run(input))
