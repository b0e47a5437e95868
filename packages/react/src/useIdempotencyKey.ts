/** The idempotency key of a form that a person reviews. */
import type { Client, ExecuteInput } from "@geoswap/core/promise"
import { useEffect, useState } from "react"
import { useGeoswap } from "./GeoswapProvider.js"
import { isSwapLocked, webLocks, withSwapLock } from "./internal/webLocks.js"
import { readableStorage } from "./internal/readableStorage.js"
import { requestKey, uniqueId } from "./query/keys.js"

const prefix = "geoswap.key."

/**
 * The key of a request. It is the one that another tab, or this one before a reload, got for it, as long as that tab is
 * reviewing or swapping or its swap has no known end. Otherwise it is a new one.
 */
const keyFor = async (client: Client, locks: LockManager, storage: Storage, text: string): Promise<string> => {
  // A journal that cannot be read may hold any of them.
  const pending = await client.pending().catch(() => undefined)
  const isLive = async (key: string) =>
    (pending?.some(({ idempotencyKey }) => idempotencyKey === key) ?? true) || (await isSwapLocked(locks, key))
  for (const name of Object.keys(storage).filter((one) => one.startsWith(prefix))) {
    const key = storage.getItem(name)
    // Nothing that was signed with it can be sent any more, or its swap has ended.
    if (key !== null && !(await isLive(key))) storage.removeItem(name)
  }
  const known = storage.getItem(prefix + text)
  if (known !== null) return known
  const key = uniqueId()
  storage.setItem(prefix + text, key)
  return key
}

/** Gets the key of a request and holds it until the signal aborts. Tabs take turns, so that no two of them make keys. */
const hold = (client: Client, text: string, signal: AbortSignal, onKey: (key: string) => void): void => {
  const [locks, storage] = [webLocks(), readableStorage()]
  const alone = () => {
    if (!signal.aborted) onKey(uniqueId())
  }
  if (locks === undefined || storage === undefined) return alone()
  const released = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
  const opened = locks.request("geoswap.keys", { signal }, async () => {
    const key = await keyFor(client, locks, storage, text)
    // Held before the next tab gets its turn.
    await new Promise<void>((resolve, reject) => {
      withSwapLock(key, async () => {
        resolve()
        await released
      }).catch(reject)
    })
    if (!signal.aborted) onKey(key)
  })
  opened.catch(alone)
}

/**
 * The idempotency key of a form that a person reviews, for `start(request, { idempotencyKey })`. Pass the request while
 * the review is open, and `undefined` otherwise. Every tab that reviews the same request gets the same key, and so does a
 * reload while the swap has no known end: a second click, a second tab and a reload all lead to the same swap. Once the
 * swap has ended, the next review gets a new key.
 *
 * `undefined` until it is known, which takes a moment: do not start a swap before that.
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
