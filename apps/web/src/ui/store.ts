/** Values that components follow, and that code outside of components changes. */
import { useSyncExternalStore } from "react"

/** A value that changes. */
export interface Readable<A> {
  readonly get: () => A
  /** Calls the listener after each change. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Creates a store with a first value. */
export const createStore = <A>(first: A) => {
  const listeners = new Set<() => void>()
  let current = first
  return {
    get: () => current,
    set: (next: A) => {
      if (next === current) return
      current = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

/** Returns what calls a listener after these events of the window, and returns a function that unsubscribes. */
export const onWindow =
  (...events: ReadonlyArray<string>) =>
  (listener: () => void) => {
    const stop = new AbortController()
    for (const event of events) window.addEventListener(event, listener, { signal: stop.signal })
    return () => stop.abort()
  }

/** Whether the browser is online. */
export const online: Readable<boolean> = { get: () => navigator.onLine, subscribe: onWindow("online", "offline") }

/** Returns the value, and renders the component again when it changes. */
export const useStore = <A>({ get, subscribe }: Readable<A>): A => useSyncExternalStore(subscribe, get)
