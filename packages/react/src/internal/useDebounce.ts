/** Waits until a value has stopped changing. */
import { useEffect, useState } from "react"

/**
 * Whether a value has stayed the same for long enough; the one of the first render need not wait. Even that one takes
 * a turn of the event loop, so that a component which is mounted twice in a row, as in strict mode, asks once.
 */
export const useDebounce = (value: string | undefined, millis: number): boolean => {
  const [held, setHeld] = useState({ value, settled: false, wait: 0 })
  const current = held.value === value ? held : { value, settled: false, wait: millis }
  // React's way to derive state from what changed, without a render in between that shows the old one.
  if (current !== held) setHeld(current)
  const { settled, wait } = current
  useEffect(() => {
    if (settled || value === undefined) return undefined
    const timer = setTimeout(() => setHeld({ value, settled: true, wait }), wait)
    return () => clearTimeout(timer)
  }, [value, settled, wait])
  return settled
}
