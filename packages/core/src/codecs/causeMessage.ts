/** The message of anything that was thrown. */

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "")

/**
 * Returns the message of a thrown value and of its cause. Drops the object: it may contain the request, the key or the
 * signature, and errors are logged.
 */
export const causeMessage = (thrown: unknown): string =>
  `${messageOf(thrown)} ${messageOf(thrown instanceof Error && thrown.cause)}`.trim()
