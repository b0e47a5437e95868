/** Calls a listener. Errors are logged to the console: they must not stop a swap. */
export const callListener = (call: () => unknown): void => {
  const report = (error: unknown) => {
    // oxlint-disable-next-line no-console -- there is no other place to report it
    console.error("A swap listener failed; the swap continues.", error)
  }
  try {
    Promise.resolve(call()).catch(report)
  } catch (error) {
    report(error)
  }
}
