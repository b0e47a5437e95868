/** Random bytes from a pool, because a system call for each nonce takes longer than encrypting a token. */

const poolLength = 4_096

/** Creates a function that returns random bytes. Every byte of the pool is returned once and then overwritten. */
export const make = (): ((length: number) => Uint8Array<ArrayBuffer>) => {
  const pool = new Uint8Array(poolLength)
  let used = poolLength
  return (length) => {
    if (length > poolLength) return crypto.getRandomValues(new Uint8Array(length))
    if (used + length > poolLength) {
      crypto.getRandomValues(pool)
      used = 0
    }
    const bytes = pool.slice(used, used + length)
    pool.fill(0, used, used + length)
    used += length
    return bytes
  }
}
