/** Expects a call to fail, and returns its error. */

/** Returns the reason for a rejection. Throws if the promise resolves. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error })
  )
  if ("error" in outcome) return outcome.error
  throw new Error(`expected a rejection, got ${JSON.stringify(outcome.value)}`)
}

/** Returns what a function throws. Throws if the function returns. */
export const thrown = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error("expected an exception, got none")
}
