/** What all error classes have in common: the fields of the service's answer, the documentation, and how they print. */
import type { YieldableError } from "effect/Cause"
import * as Schema from "effect/Schema"
import type { SwapError } from "../SwapError.js"
import { optionalString } from "../codecs/lenient.js"

const answer = {
  /** What happened and what to do about it. */
  message: Schema.String,
  /** The service's error code. */
  code: optionalString,
  /** The service's request id. Include it when you contact the operator. */
  requestId: optionalString
}

/** What all error classes have in common. */
export interface Documented {
  /** The path of the error's description in the documentation, for example `docs/errors#needs-delegation`. */
  readonly docs: string
}

/** The function that Node calls with the printing options to print an object. */
type Inspect = (value: object, options: object) => string

/**
 * Prints an error as Node prints its own errors: the class, the message and the stack, followed by the error's fields.
 * Without this, Effect would print the fields alone.
 */
function inspect(this: Error & Documented, _depth: number, options: object, print: Inspect): string {
  const { _tag, name: _name, message: _message, stack: _stack, ...fields } = { _tag: "", ...this }
  const lines = this.stack?.split("\n").filter((line) => /^ +at /.test(line)) ?? []
  return `${[`${_tag}: ${this.message}`, ...lines].join("\n")} ${print({ ...fields, docs: this.docs }, options)}`
}

/** Returns an error as JSON, with amounts as strings. */
function toJSON(this: Error): object {
  const { name: _name, stack: _stack, ...fields } = { ...this, message: this.message }
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, typeof value === "bigint" ? `${value}` : value])
  )
}

/** Creates the base class of an error. */
export const tagged =
  <Self>() =>
  <const Tag extends string, const Fields extends Schema.Struct.Fields>(
    tag: Tag,
    fields: Fields
  ): Schema.Class<Self, Schema.TaggedStruct<Tag, typeof answer & Fields>, YieldableError & Documented> => {
    const base = Schema.TaggedError<Error>()(tag, { ...answer, ...fields })
    const anchor = tag.replaceAll(/\B[A-Z]/g, "-$&").toLowerCase()
    Object.assign(base.prototype, {
      docs: `docs/errors#${anchor}`,
      toJSON,
      [Symbol.for("nodejs.util.inspect.custom")]: inspect
    })
    return base as never
  }

/** Whether a thrown value is an error from this package, or from another copy of this package. */
export const isSwapError = (error: unknown): error is SwapError =>
  error instanceof Error && "_tag" in error && "retry" in error && typeof error.retry === "string"
