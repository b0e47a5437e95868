/** The idempotency keys of the swaps that this process is working on. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The keys of the calls that have not ended. */
export interface RunningKeys {
  readonly has: (key: string | undefined) => boolean
  /** Marks a key as running until the effect ends, fails or is interrupted. */
  readonly during: <A, E, R>(key: string | undefined, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The keys of the calls that have not ended. */
export const RunningKeys: Context.Service<RunningKeys, RunningKeys> =
  /* @__PURE__ */ Context.Service<RunningKeys>("@geoswap/cli/RunningKeys")

const make = (): RunningKeys => {
  // Two calls may have the same key.
  const calls = new Set<{ readonly key: string }>()
  return {
    has: (key) => [...calls].some((call) => call.key === key),
    during: (key, effect) =>
      Effect.suspend(() => {
        if (key === undefined) return effect
        const call = { key }
        calls.add(call)
        return Effect.ensuring(
          effect,
          Effect.sync(() => void calls.delete(call))
        )
      })
  }
}

/** Provides an empty set of keys. */
export const layer: Layer.Layer<RunningKeys> = Layer.sync(RunningKeys, make)
