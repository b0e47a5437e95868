/** Extracts the messages of thrown values. */

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "")

/**
 * Returns the message of a thrown value and of its cause. Drops the thrown object, because errors are logged and the
 * object may contain the request, the key or the signature.
 */
export const causeMessage = (thrown: unknown): string =>
  `${messageOf(thrown)} ${messageOf(thrown instanceof Error && thrown.cause)}`.trim()
