/** The exit code of a command that concerns several swaps. */
import * as Exit from "../output/Exit.js"

/**
 * Returns the most severe exit code. From most to least severe, the codes stand for an unknown outcome, an error, a
 * refusal, and a failed or refunded swap.
 */
export const worst = (codes: ReadonlyArray<number>): Exit.Code =>
  ([Exit.codes.unknown, Exit.codes.error, Exit.codes.refused, Exit.codes.unfulfilled] as const).find((code) =>
    codes.includes(code)
  ) ?? Exit.codes.ok
