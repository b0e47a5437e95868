/** The current time. */
import { useEffect, useState } from "react"

/** Returns the time in Unix milliseconds, updated every `interval` milliseconds while `running` is true. */
export const useNow = (interval: number, running = true) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!running) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), interval)
    return () => clearInterval(timer)
  }, [interval, running])
  return now
}
