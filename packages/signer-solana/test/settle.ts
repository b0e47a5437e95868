/** How a call of a signer ends. */
import type { Signer } from "@geoswap/core"
import { SwapError } from "@geoswap/core"

/** Nobody aborts. */
export const patience = (): Signer.Abort => ({ signal: new AbortController().signal })

/** What a promise rejects with; a promise that does not is a failure of the test. */
export const rejection = async (promise: Promise<unknown> | void): Promise<SwapError.SwapError> => {
  try {
    await promise
  } catch (error) {
    if (SwapError.isSwapError(error)) return error
    throw new Error("rejected with something that is no error of ours", { cause: error })
  }
  throw new Error("should have been refused, and was not")
}

/** What a function throws. */
export const thrown = (run: () => unknown): SwapError.SwapError => {
  try {
    run()
  } catch (error) {
    if (SwapError.isSwapError(error)) return error
    throw new Error("threw something that is no error of ours", { cause: error })
  }
  throw new Error("should have thrown, and did not")
}
