/** The number of rounds with random faults, and their seed: `CHAOS_ROUNDS`, `CHAOS_SEED`. */
export interface Chaos {
  readonly rounds: number
  /** Whether there are more rounds than in the gate. */
  readonly isLong: boolean
  readonly seed: number
}

/** `weight` is the length of a round in units of the shortest one. The gate always uses the same seed. */
export const chaosOf = (usualRounds: number, weight = 1): Chaos => {
  const asked = process.env["CHAOS_ROUNDS"]
  const rounds = asked === undefined ? usualRounds : Math.ceil(Number(asked) / weight)
  const isLong = rounds > usualRounds
  const seed = Number(process.env["CHAOS_SEED"] ?? (isLong ? Date.now() % 2 ** 31 : 1))
  return { rounds, isLong, seed }
}
