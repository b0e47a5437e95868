/** The callback with which applications receive what a wallet or a key service throws. */

/**
 * Called with the original error if the wallet or the key service fails. The error may contain a key, a signature or a
 * URL with a secret, so do not log it as it is.
 */
export type OnFailure = (thrown: unknown) => void

/** Calls the callback, if there is one. An error in the callback is ignored, so that it does not hide the failure. */
export const reportFailure = (onFailure: OnFailure | undefined, thrown: unknown): void => {
  try {
    onFailure?.(thrown)
  } catch {
    // The caller gets a SignerError in any case.
  }
}
