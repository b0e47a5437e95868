/** Announces the end of a swap to people in another tab: in the title and, if they want, in a notification. */
import type { Swap } from "@geoswap/core/promise"
import { setTitle } from "../route.js"
import { formatRoute, type SwapSummary } from "../swapSummary.js"
import { endOf } from "./outcome.js"

/** Whether the browser can show notifications and has not been asked yet. */
export const canAskToNotify = () => typeof Notification !== "undefined" && Notification.permission === "default"

/** Asks for the permission to notify. */
export const askToNotify = async () => {
  await Notification.requestPermission()
}

/** Announces the end of a swap if the page is not visible. */
export const announceEnd = (swap: Swap, summary: SwapSummary) => {
  if (!document.hidden) return
  const title = endOf(swap)
  document.title = `${title}: ${formatRoute(summary)}`
  document.addEventListener("visibilitychange", setTitle, { once: true })
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return
  try {
    const notice = new Notification(title, { body: formatRoute(summary), icon: "/icon.svg", tag: formatRoute(summary) })
    notice.addEventListener("click", () => window.focus())
  } catch {
    // Some phones show notifications only from a service worker.
  }
}
