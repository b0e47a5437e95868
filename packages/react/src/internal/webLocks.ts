/** Web Locks. A tab holds a lock until the tab releases the lock or is closed. */

/** Returns the browser's lock manager, or `undefined` on a server or without https. */
export const webLocks = (): LockManager | undefined =>
  typeof navigator === "undefined" ? undefined : (navigator as { readonly locks?: LockManager }).locks

/** The name of the lock that tabs share while they review or make the swap with an idempotency key. */
const lockName = (key: string): string => `geoswap.swap.${key}`

/** Holds the lock for a key while `run` is running, which shows other tabs that the swap is running. */
export const withSwapLock = <A>(key: string | undefined, run: () => Promise<A>): Promise<A> => {
  const locks = webLocks()
  return key === undefined || locks === undefined ? run() : locks.request(lockName(key), { mode: "shared" }, run)
}

/** Whether any tab, including this one, is reviewing or making the swap with an idempotency key. */
export const isSwapLocked = async (locks: LockManager, key: string): Promise<boolean> => {
  const { held = [] } = await locks.query()
  return held.some(({ name }) => name === lockName(key))
}
