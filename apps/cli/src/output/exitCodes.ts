/** The exit codes, in a separate small file that the program loads at its start. */

/** The exit codes. */
export const codes = {
  /** Success; a swap is settled. */
  ok: 0,
  error: 1,
  /** A swap failed or was refunded. */
  unfulfilled: 2,
  /** A policy or the user refused. No swap was signed. */
  refused: 3,
  /** The outcome of a swap is not known yet. */
  unknown: 4,
  /** The command line is invalid. */
  usage: 64,
  interrupted: 130
} as const
