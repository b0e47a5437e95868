/** Locks and storages that answer later, so that calls interleave. */
import type { Store } from "../src/index.js"
import { type Locks, type Storage } from "../src/store/records.js"

/** Locks like those of a page: one holder per name, the others wait. */
export const pageLocks = (): Locks => {
  const turns = new Map<string, Promise<unknown>>()
  return {
    request: (name, run) => {
      const mine = (turns.get(name) ?? Promise.resolve()).then(run)
      turns.set(
        name,
        mine.catch(() => undefined)
      )
      return mine
    }
  }
}

/** A store of promises that answers later and one at a time, like a file behind a lock. */
export const slowStore = (): Store.PromiseStore => {
  const records = new Map<string, string>()
  let turn: Promise<unknown> = Promise.resolve()
  return {
    names: async () => [...records.keys()],
    update: (name, change) => {
      const mine = turn.then(async () => {
        const before = records.get(name)
        await Promise.resolve()
        const [next, answer] = change(before)
        if (next === undefined) records.delete(name)
        else records.set(name, next)
        return answer
      })
      turn = mine.catch(() => undefined)
      return mine
    }
  }
}

/** Slow storage, so that calls without a lock interleave. */
export const slowStorage = (texts = new Map<string, string>()): Storage => {
  const later = async <A>(act: () => A): Promise<A> => {
    await Promise.resolve()
    return act()
  }
  return {
    getItem: (key) => later(() => texts.get(key) ?? null),
    setItem: (key, value) => later(() => void texts.set(key, value)),
    removeItem: (key) => later(() => void texts.delete(key)),
    keys: () => later(() => [...texts.keys()])
  }
}
