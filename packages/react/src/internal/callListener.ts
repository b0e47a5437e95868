/** Calls a listener. Errors from the listener are logged to the console, because they must not stop a swap. */
export const callListener = (call: () => unknown): void => {
  const report = (error: unknown) => {
    // oxlint-disable-next-line no-console -- there is nowhere else to report it
    console.error("A swap listener failed; the swap continues.", error)
  }
  try {
    Promise.resolve(call()).catch(report)
  } catch (error) {
    report(error)
  }
}
