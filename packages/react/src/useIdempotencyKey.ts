/** The idempotency key for a swap that the user is reviewing. */
import type { Client, ExecuteInput } from "@geoswap/core/promise"
import { useEffect, useState } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { isSwapLocked, webLocks, withSwapLock } from "./internal/webLocks.js"
import { readableStorage } from "./internal/readableStorage.js"
import { requestKey, uniqueId } from "./query/keys.js"

const prefix = "geoswap.key."

/**
 * Returns the idempotency key for a request. Another tab, or this tab before a reload, may already have created a key
 * for the same request. That key is returned while it is in use, that is, while a tab is reviewing the request or
 * executing the swap, or while the outcome of the swap is unknown. Otherwise, a new key is returned.
 */
const keyFor = async (client: Client, locks: LockManager, storage: Storage, text: string): Promise<string> => {
  // If the store cannot be read, assume that every key is in use.
  const pending = await client.pending().catch(() => undefined)
  const isLive = async (key: string) =>
    (pending?.some(({ idempotencyKey }) => idempotencyKey === key) ?? true) || (await isSwapLocked(locks, key))
  for (const name of Object.keys(storage).filter((one) => one.startsWith(prefix))) {
    const key = storage.getItem(name)
    // The swap with this key has ended, or nothing that was signed for it can be sent anymore.
    if (key !== null && !(await isLive(key))) storage.removeItem(name)
  }
  const known = storage.getItem(prefix + text)
  if (known !== null) return known
  const key = uniqueId()
  storage.setItem(prefix + text, key)
  return key
}

/**
 * Gets the idempotency key for a request and marks it as in use until the signal is aborted. Only one tab at a time
 * creates keys.
 */
const hold = (client: Client, text: string, signal: AbortSignal, onKey: (key: string) => void): void => {
  const [locks, storage] = [webLocks(), readableStorage()]
  const onlyThisTab = () => {
    if (!signal.aborted) onKey(uniqueId())
  }
  if (locks === undefined || storage === undefined) return onlyThisTab()
  const released = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
  const acquired = locks.request("geoswap.keys", { signal }, async () => {
    const key = await keyFor(client, locks, storage, text)
    // Mark the key as in use before the next tab can acquire the `geoswap.keys` lock.
    await new Promise<void>((resolve, reject) => {
      withSwapLock(key, async () => {
        resolve()
        await released
      }).catch(reject)
    })
    if (!signal.aborted) onKey(key)
  })
  acquired.catch(onlyThisTab)
}

/**
 * Returns the idempotency key for a swap that the user is reviewing. Pass the key to `mutate` as
 * `idempotencyKey`. Pass the request to this hook while the review is open, and `undefined` otherwise. Every tab that reviews the
 * same request gets the same key, and so does a reloaded page while the outcome of the swap is unknown. A second click,
 * a second tab or a reload therefore leads to the same swap. Once the swap has ended, the next review gets a new key.
 *
 * The key is `undefined` at first. Do not start a swap before it is defined.
 */
export const useIdempotencyKey = (request: ExecuteInput | undefined): string | undefined => {
  const client = useGeoswap()
  const text = request && requestKey(request)
  const [held, setHeld] = useState<{ readonly text: string; readonly key: string }>()
  useEffect(() => {
    if (text === undefined) return undefined
    const stop = new AbortController()
    hold(client, text, stop.signal, (key) => setHeld({ text, key }))
    return () => {
      stop.abort()
      setHeld(undefined)
    }
  }, [client, text])
  return held?.text === text ? held?.key : undefined
}
