/** Reads the code of a system error, such as `ENOENT`. */

/** Returns the error's code, or an empty string if the error has no code. */
export const errorCode = (cause: unknown) => (cause instanceof Error && "code" in cause ? String(cause.code) : "")
