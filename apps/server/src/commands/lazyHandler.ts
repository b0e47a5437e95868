/** Handlers that are loaded only when their command runs, so help stays fast. */
import * as Effect from "effect/Effect"
import { ConfigFile } from "./flags.js"

/** Returns a handler that loads the real handler when called, and passes it the flags and the `--config` file. */
export const lazyHandler =
  <I, A, E, R>(load: () => Promise<(flags: I, configFile: string | undefined) => Effect.Effect<A, E, R>>) =>
  (flags: I) =>
    Effect.gen(function* () {
      const configFile = yield* ConfigFile
      const handler = yield* Effect.promise(load)
      return yield* handler(flags, configFile)
    })
