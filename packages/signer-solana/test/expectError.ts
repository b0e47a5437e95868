/** How a call of a signer ends. */
import { type Signer, SwapError } from "@geoswap/core"
import * as Failure from "../../../tooling/testing/failure.ts"

/** Nobody aborts. */
export const neverAborted = (): Signer.Abort => ({ signal: new AbortController().signal })

const ours = (error: unknown): SwapError.SwapError => {
  if (SwapError.isSwapError(error)) return error
  throw new Error("this is no error of ours", { cause: error })
}

/** What a promise rejects with; a promise that does not is a failure of the test. */
export const rejection = async (promise: Promise<unknown> | void): Promise<SwapError.SwapError> =>
  ours(await Failure.rejection(Promise.resolve(promise)))

/** What a function throws. */
export const thrown = (run: () => unknown): SwapError.SwapError => ours(Failure.thrown(run))

/** The words in which a constructor refuses what it was given. */
export const refusal = (make: () => unknown): string => {
  const error = thrown(make)
  if (error._tag !== "InvalidInput") throw new Error("this is no refusal", { cause: error })
  return `${error.field} | ${error.message}`
}
