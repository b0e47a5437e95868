/** A flag with a value that may be omitted. */
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"

/** Creates the flag. It is `undefined` if it is omitted. */
export const optionalFlag = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )
