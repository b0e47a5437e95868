/** Flags without a value, such as `--json`. */
import * as Flag from "effect/cli/Flag"

/** A flag that is false unless it is passed. It has no `--no-` form. */
export const booleanFlag = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))
