/** Expects a call of a signer to fail, and returns its error. */
import { type Signer, SwapError } from "@geoswap/core"
import * as ExpectError from "../../../tooling/testing/expectError.ts"

/** A signal that is never aborted. */
export const neverAborted = (): Signer.Abort => ({ signal: new AbortController().signal })

const ours = (error: unknown): SwapError.SwapError => {
  if (SwapError.isSwapError(error)) return error
  throw new Error("this is not a SwapError", { cause: error })
}

/** Returns the error of a rejected promise. The test fails if it resolves. */
export const rejection = async (promise: Promise<unknown> | void): Promise<SwapError.SwapError> =>
  ours(await ExpectError.rejection(Promise.resolve(promise)))

/** Returns the error that a function throws. */
export const thrown = (run: () => unknown): SwapError.SwapError => ours(ExpectError.thrown(run))

/** Returns the field and the message of the `InvalidInput` that a constructor throws. */
export const refusal = (make: () => unknown): string => {
  const error = thrown(make)
  if (error._tag !== "InvalidInput") throw new Error("this is not an InvalidInput", { cause: error })
  return `${error.field} | ${error.message}`
}
