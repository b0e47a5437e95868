/** Calls a listener. What it throws, at once or later, is reported on the console: it must not stop a swap. */
export const callListener = (call: () => unknown): void => {
  const report = (error: unknown) => {
    // oxlint-disable-next-line no-console -- the page that threw it has nobody else to tell
    console.error("A listener of a swap failed; the swap continues.", error)
  }
  try {
    Promise.resolve(call()).catch(report)
  } catch (error) {
    report(error)
  }
}
