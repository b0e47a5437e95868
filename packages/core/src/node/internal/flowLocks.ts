/** One lock file for each flow that a living process works on. */
import { join } from "node:path"
import type { FlowLocks } from "../../store/records.js"
import { StoreError } from "../../SwapError.js"
import { type Lock, tryLock } from "./lock.js"
import * as Folder from "./privateFolder.js"

/** Whether an id has the format that clients use for ids. A path does not have this format. */
const isId = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)

const suffix = ".lock"

/**
 * Creates the locks of the flows in a folder. Claim and check a lock while holding the folder's own lock, so that a lock
 * file can be removed.
 */
export const makeFlowLocks = (folder: string): FlowLocks & { readonly tidy: () => void } => {
  const held = new Map<string, Lock>()
  const claim = (id: string): boolean => {
    if (!isId(id)) throw new StoreError({ message: `"${id}" is not a valid file name.` })
    if (held.has(id)) return true
    const lock = tryLock(join(folder, id + suffix))
    if (lock !== undefined) held.set(id, lock)
    return lock !== undefined
  }
  const release = (id: string): void => {
    held.get(id)?.release()
    held.delete(id)
  }
  const isBusy = (id: string): boolean => {
    if (held.has(id)) return false
    const free = claim(id)
    if (free) release(id)
    return !free
  }
  return {
    claim,
    isBusy,
    release,
    /** Removes the lock files that no process holds. */
    tidy: () => {
      for (const name of Folder.names(folder)) {
        const id = name.slice(0, -suffix.length)
        if (!name.endsWith(suffix) || !isId(id) || held.has(id)) continue
        if (Folder.isFile(folder, name) && !isBusy(id)) Folder.remove(folder, name)
      }
    }
  }
}
