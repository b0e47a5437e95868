/** Makes the pauses of a process pass five times faster. For `node --import`. */
const { setTimeout: original } = globalThis

globalThis.setTimeout = Object.assign(
  (callback: (...args: ReadonlyArray<unknown>) => void, millis = 0, ...args: ReadonlyArray<unknown>) =>
    original(callback, millis / 5, ...args),
  original
) as typeof setTimeout
