/** A seeded random number generator. The same seed always produces the same cases. */
export interface SeededRandom {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number
  /** An integer from 0 (inclusive) to `bound` (exclusive). */
  readonly below: (bound: number) => number
  readonly pick: <A>(values: ReadonlyArray<A>) => A
  readonly bytes: (length: number) => Uint8Array
  /** Returns `length` random bytes in hexadecimal. */
  readonly hex: (length: number) => `0x${string}`
  readonly shuffle: <A>(values: ReadonlyArray<A>) => ReadonlyArray<A>
}

/** The generator for one case of a run (mulberry32). */
export const seededRandom = (seed: number, index: number): SeededRandom => {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  const bytes = (length: number) => Uint8Array.from({ length }, () => below(256))
  return {
    next,
    below,
    pick: (values) => values[below(values.length)] as never,
    bytes,
    hex: (length) => `0x${Buffer.from(bytes(length)).toString("hex")}`,
    shuffle: (values) =>
      values
        .map((value) => ({ value, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ value }) => value)
  }
}

/**
 * Settings from the environment: the number of fuzz cases (`FUZZ_RUNS`), the seed (`FUZZ_SEED`), and a single case to
 * repeat (`FUZZ_CASE`).
 */
export const runs = Number(process.env["FUZZ_RUNS"] ?? 10_000)
const only = process.env["FUZZ_CASE"]
/** By default, a run of ordinary length uses the same cases every time, and a longer run uses new cases. */
export const seed = Number(process.env["FUZZ_SEED"] ?? (runs > 10_000 ? Date.now() % 2 ** 31 : 1))

/** The indexes of the cases, or the single case to repeat. */
export const casesOf = function* (count: number) {
  if (only !== undefined) yield Number(only)
  else for (let index = 0; index < count; index++) yield index
}

export const isWhole = only === undefined

export const repeat = (index: number) => `repeat with FUZZ_SEED=${seed} FUZZ_CASE=${index}`
