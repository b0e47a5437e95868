/** Detects terminals. */
import { fstatSync } from "node:fs"

/**
 * Whether a file descriptor refers to a terminal. Pipes and files are ruled out first, because importing `node:tty`
 * loads the network code.
 */
export const isTerminal = (descriptor: number): boolean => {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false
  } catch {
    // The descriptor is closed.
    return false
  }
  const { isatty } = process.getBuiltinModule("node:tty")
  return isatty(descriptor)
}
