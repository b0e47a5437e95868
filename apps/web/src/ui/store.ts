/** Values that components follow, and that code outside of components changes. */
import { useSyncExternalStore } from "react"

/** A value that changes. */
export interface Readable<A> {
  readonly get: () => A
  /** Calls the listener after each change. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
}

/** A value that can be changed. */
export interface Store<A> extends Readable<A> {
  readonly set: (next: A) => void
}

/** Creates a store with a first value. */
export const createStore = <A>(first: A): Store<A> => {
  const listeners = new Set<() => void>()
  let current = first
  return {
    get: () => current,
    set: (next) => {
      if (next === current) return
      current = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

/** Returns the value, and renders the component again when it changes. */
export const useStore = <A>({ get, subscribe }: Readable<A>): A => useSyncExternalStore(subscribe, get)
