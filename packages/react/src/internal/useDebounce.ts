/** Debounces a value. */
import { useEffect, useState } from "react"

/**
 * Returns whether a value has stayed the same for `millis` milliseconds. The value from the first render only has to
 * stay the same for one event-loop task. That is long enough for a component that is mounted twice in a row, as in strict mode, to
 * send only one request.
 */
export const useDebounce = (value: string | undefined, millis: number): boolean => {
  const [held, setHeld] = useState({ value, settled: false, wait: 0 })
  const current = held.value === value ? held : { value, settled: false, wait: millis }
  // Derives the state during rendering, so that no render shows the old state.
  if (current !== held) setHeld(current)
  const { settled, wait } = current
  useEffect(() => {
    if (settled || value === undefined) return undefined
    const timer = setTimeout(() => setHeld({ value, settled: true, wait }), wait)
    return () => clearTimeout(timer)
  }, [value, settled, wait])
  return settled
}
