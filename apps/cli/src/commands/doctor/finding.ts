/** The findings that `geoswap doctor` prints, one per line. */
import * as Effect from "effect/Effect"

/** The result of one check. */
export interface Finding {
  readonly about: string
  readonly state: "ok" | "warn" | "fail"
  readonly found: string
  /** How to fix the problem. */
  readonly next?: string
}

/** Creates a finding for a check that passed. */
export const ok = (about: string, found: string): Finding => ({ about, state: "ok", found })

/** Creates a finding for a problem that may be intentional. */
export const warn = (about: string, found: string, next: string): Finding => ({ about, state: "warn", found, next })

/** Creates a finding for a problem that prevents swaps. */
export const fail = (about: string, found: string, next: string): Finding => ({ about, state: "fail", found, next })

/** Runs a check. If the check itself fails, returns the failure as a finding. */
export const orFail = <R>(
  about: string,
  check: Effect.Effect<ReadonlyArray<Finding>, { readonly message: string; readonly next?: string }, R>
): Effect.Effect<ReadonlyArray<Finding>, never, R> =>
  Effect.catch(check, ({ message, next }) => Effect.succeed([fail(about, message, next ?? "Run 'geoswap --help'.")]))
