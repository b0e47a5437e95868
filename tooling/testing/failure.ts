/** What a promise rejects with; a test that gets a value instead fails. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error })
  )
  if ("error" in outcome) return outcome.error
  throw new Error(`resolved with ${JSON.stringify(outcome.value)}`)
}

/** What a function throws; a test that gets a value instead fails. */
export const thrown = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error("nothing was thrown")
}
