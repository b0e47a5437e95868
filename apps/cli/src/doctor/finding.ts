/** What the doctor finds: one line for each thing that was looked at. */
import * as Effect from "effect/Effect"

/** One thing that was looked at. */
export interface Finding {
  readonly about: string
  readonly state: "ok" | "warn" | "fail"
  readonly found: string
  /** What to do about it. */
  readonly next?: string
}

/** All is well. */
export const ok = (about: string, found: string): Finding => ({ about, state: "ok", found })

/** Something that may be meant so. */
export const warn = (about: string, found: string, next: string): Finding => ({ about, state: "warn", found, next })

/** Something that keeps swaps from working. */
export const fail = (about: string, found: string, next: string): Finding => ({ about, state: "fail", found, next })

/** A look whose own failure is a finding too. */
export const orFail = <R>(
  about: string,
  look: Effect.Effect<ReadonlyArray<Finding>, { readonly message: string; readonly next?: string }, R>
): Effect.Effect<ReadonlyArray<Finding>, never, R> =>
  Effect.catch(look, ({ message, next }) => Effect.succeed([fail(about, message, next ?? "See geoswap --help.")]))
