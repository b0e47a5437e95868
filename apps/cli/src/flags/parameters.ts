/** Arguments and flags. They load no handler, which keeps help fast. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"

/** An argument that is required. */
export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

/** An argument that is `undefined` if it is omitted. */
export const optionalArgument = (name: string, description: string) =>
  argument(name, description).pipe(Argument.optional, Argument.map(Option.getOrUndefined))

/** A flag without a value that is false unless it is passed. It has no `--no-` form. */
export const booleanFlag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

/** Makes a flag `undefined` if it is omitted. */
export const optional = <A>(flag: Flag.Flag<A>, metavar: string, description: string) =>
  flag.pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )

/** A flag that is `undefined` if it is omitted. Its value must not be empty. */
export const optionalFlag = (name: string, metavar: string, description: string) =>
  optional(
    Flag.filter(
      Flag.String(name),
      (value) => value !== "",
      () => `--${name} requires a value.`
    ),
    metavar,
    description
  )

/** A flag with a whole number that is `undefined` if it is omitted. */
export const wholeFlag = (
  name: string,
  metavar: string,
  [least, most]: readonly [number, number],
  description: string
) =>
  optional(
    Flag.filter(
      Flag.Int(name),
      (value) => value >= least && value <= most,
      () => `Expected a whole number from ${least} to ${most.toLocaleString("en-US")}`
    ),
    metavar,
    description
  )
