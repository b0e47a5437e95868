/** The errors that promises reject with. */
import type * as Cause from "effect/Cause"
import * as Errors from "../SwapError.js"

type PlainError<E> = E extends Errors.SwapError ? Error & Pick<E, Exclude<keyof E, keyof Cause.YieldableError>> : never

/** The errors that the client can reject with. Distinguish them by `_tag`. */
export type SwapError = PlainError<Errors.SwapError>

/** Whether a thrown value is an error from this package. */
export const isSwapError: (error: unknown) => error is SwapError = Errors.isSwapError
