/** Whether the browser has a network. */
import { useSyncExternalStore } from "react"

const subscribe = (listener: () => void) => {
  window.addEventListener("online", listener)
  window.addEventListener("offline", listener)
  return () => {
    window.removeEventListener("online", listener)
    window.removeEventListener("offline", listener)
  }
}

/** Whether there is a network right now. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)
