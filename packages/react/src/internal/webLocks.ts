/** Web Locks. A tab holds a lock until the tab releases the lock or is closed. */

/** Returns the browser's lock manager, or `undefined` on a server or on a page that is not served over https. */
export const webLocks = (): LockManager | undefined =>
  typeof navigator === "undefined" ? undefined : (navigator as { readonly locks?: LockManager }).locks

/**
 * Returns the name of the lock for an idempotency key. Tabs share the lock while they review or make the swap that has
 * this key.
 */
const lockName = (key: string): string => `geoswap.swap.${key}`

/** Holds the lock for an idempotency key while `run` is running, so that other tabs can see that the key is in use. */
export const withSwapLock = <A>(key: string | undefined, run: () => Promise<A>): Promise<A> => {
  const locks = webLocks()
  return key === undefined || locks === undefined ? run() : locks.request(lockName(key), { mode: "shared" }, run)
}

/** Whether any tab, including this one, is reviewing or executing the swap with this idempotency key. */
export const isSwapLocked = async (locks: LockManager, key: string): Promise<boolean> => {
  const { held = [] } = await locks.query()
  return held.some(({ name }) => name === lockName(key))
}
