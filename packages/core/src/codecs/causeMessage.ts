/** What others throw, in words. */

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "")

/**
 * The message of what was thrown and of its cause. Words only: the object may hold the request, the key or the signature
 * that it failed with, and our errors get logged.
 */
export const causeMessage = (thrown: unknown): string =>
  `${messageOf(thrown)} ${messageOf(thrown instanceof Error && thrown.cause)}`.trim()
