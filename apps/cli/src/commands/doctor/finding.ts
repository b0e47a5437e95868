/** The findings that `geoswap doctor` prints, one per line. */
import * as Effect from "effect/Effect"

/** The result of one check. */
export interface Finding {
  readonly about: string
  /** `warn` is a problem that may be intentional, and `fail` one that prevents swaps. */
  readonly state: "ok" | "warn" | "fail"
  readonly found: string
  /** How to fix the problem. */
  readonly next?: string
}

type Findings = ReadonlyArray<Finding>

/** Creates findings about one subject. */
export const findingsOn = (about: string) => ({
  ok: (found: string): Findings => [{ about, state: "ok", found }],
  warn: (found: string, next: string): Findings => [{ about, state: "warn", found, next }],
  fail: (found: string, next: string): Findings => [{ about, state: "fail", found, next }]
})

/** Runs a check. If the check itself fails, returns the failure as a finding. */
export const orFail = <R>(
  about: string,
  check: Effect.Effect<Findings, { readonly message: string; readonly next?: string }, R>
): Effect.Effect<Findings, never, R> =>
  Effect.catch(check, ({ message, next = "Run 'geoswap --help'." }) =>
    Effect.succeed(findingsOn(about).fail(message, next))
  )
