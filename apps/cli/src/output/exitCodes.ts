/** The exit codes, in a separate small file that is loaded at startup. */

/** The exit codes. */
export const codes = {
  /** The command succeeded. If it ran a swap, the swap has settled. */
  ok: 0,
  error: 1,
  /** A swap failed or was refunded, as the user's own nodes show. */
  unfulfilled: 2,
  /** The policy or the user refused the swap. No swap was signed. */
  refused: 3,
  /** The outcome of a swap is not yet known, or only claimed by the service. */
  unknown: 4,
  /** The command line is invalid. */
  usage: 64,
  interrupted: 130
} as const
