/** Web Locks, which a tab holds until it lets go of them or is closed. */

/** The locks of the browser; there are none on a server and on pages without https. */
export const webLocks = (): LockManager | undefined =>
  typeof navigator === "undefined" ? undefined : (navigator as { readonly locks?: LockManager }).locks

/** The name of the lock that a tab shares with others while it reviews or makes the swap of a key. */
const lockName = (key: string): string => `geoswap.swap.${key}`

/** Shows all tabs that a swap of this key is under way for as long as `run` takes. */
export const withSwapLock = <A>(key: string | undefined, run: () => Promise<A>): Promise<A> => {
  const locks = webLocks()
  return key === undefined || locks === undefined ? run() : locks.request(lockName(key), { mode: "shared" }, run)
}

/** Whether a tab, this one included, reviews or makes the swap of a key. */
export const isSwapLocked = async (locks: LockManager, key: string): Promise<boolean> => {
  const { held = [] } = await locks.query()
  return held.some(({ name }) => name === lockName(key))
}
