/** Extracts what may be logged from thrown values: messages and system codes. */

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "")

/**
 * Returns the message of a thrown value and of its cause. Drops the thrown object, because errors are logged and the
 * object may contain the request, the key or the signature.
 */
export const causeMessage = (thrown: unknown): string =>
  `${messageOf(thrown)} ${messageOf(thrown instanceof Error && thrown.cause)}`.trim()

/** Returns the system code in a thrown value or its causes, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
export const systemCodeOf = (thrown: unknown, depth = 4): string | undefined => {
  if (!(thrown instanceof Error) || depth === 0) return undefined
  const { cause, code, errors } = thrown as Error & { readonly code?: unknown; readonly errors?: unknown }
  if (typeof code === "string" && /^[A-Z][A-Z_]{3,40}$/.test(code)) return code
  // Node tries every address of a host, and throws an AggregateError if all of them fail.
  return systemCodeOf(cause, depth - 1) ?? systemCodeOf(Array.isArray(errors) ? errors[0] : undefined, depth - 1)
}
