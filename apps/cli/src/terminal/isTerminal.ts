/** Tells terminals from pipes and files. */
import { fstatSync } from "node:fs"

/** Whether a descriptor is a terminal. Node's own answer loads its network, so pipes and files are told by their kind. */
export const isTerminal = (descriptor: number): boolean => {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false
  } catch {
    // It is closed.
    return false
  }
  const { isatty } = process.getBuiltinModule("node:tty")
  return isatty(descriptor)
}
