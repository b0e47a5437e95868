/** The exit codes, by themselves, since the start of the program needs nothing else of how it ends. */

/** What each exit code means. */
export const codes = {
  /** Done; a swap is settled. */
  ok: 0,
  error: 1,
  /** A swap ended failed or refunded. */
  unfulfilled: 2,
  /** A policy, or the person, said no. No swap was signed. */
  refused: 3,
  /** Nobody knows yet how a swap ends. */
  unknown: 4,
  /** The command line makes no sense. */
  usage: 64,
  interrupted: 130
} as const
