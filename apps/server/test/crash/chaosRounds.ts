/** How many rounds of random faults run, and with which seed: `CHAOS_ROUNDS`, `CHAOS_SEED`. */
export interface Chaos {
  readonly rounds: number
  /** More rounds than the gate runs. */
  readonly isLong: boolean
  readonly seed: number
}

/** `weight` is how many of the shortest rounds one round takes. The gate has the same seed every time. */
export const chaosOf = (usualRounds: number, weight = 1): Chaos => {
  const asked = process.env["CHAOS_ROUNDS"]
  const rounds = asked === undefined ? usualRounds : Math.ceil(Number(asked) / weight)
  const isLong = rounds > usualRounds
  const seed = Number(process.env["CHAOS_SEED"] ?? (isLong ? Date.now() % 2 ** 31 : 1))
  return { rounds, isLong, seed }
}
