/** Chance that can be repeated. */
export interface Chance {
  /** From 0 up to, and without, 1. */
  readonly next: () => number
  /** An integer from 0 up to, and without, `bound`. */
  readonly below: (bound: number) => number
  readonly pick: <A>(values: ReadonlyArray<A>) => A
  /** That many random bytes in hexadecimal. */
  readonly hex: (bytes: number) => `0x${string}`
}

/** The chance of one case of a run (mulberry32). */
export const chanceOf = (seed: number, index: number): Chance => {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  const byte = () => below(256).toString(16).padStart(2, "0")
  return {
    next,
    below,
    pick: (values) => values[below(values.length)] as never,
    hex: (bytes) => `0x${Array.from({ length: bytes }, byte).join("")}`
  }
}
