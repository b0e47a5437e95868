/** Calls a listener. Errors from the listener are logged to the console, because they must not stop a swap. */
export const callListener = (call: () => unknown): void => {
  // The constructor calls the listener at once, and also catches what it throws.
  new Promise((resolve) => resolve(call())).catch((error: unknown) => {
    // oxlint-disable-next-line no-console -- there is nowhere else to report it
    console.error("A swap listener failed; the swap continues.", error)
  })
}
