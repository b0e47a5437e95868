/** Which part of the page is shown, by the fragment of its address: the swap form, or the activity. */
import { useSyncExternalStore } from "react"
import { text } from "./language/language.js"

/** A part of the page. */
export type Route = "swap" | "activity"

/** The links to the parts. A fragment works on any server of static files, and leaves the form's state as it is. */
export const routes: Readonly<Record<Route, string>> = { swap: "#/", activity: "#/activity" }

const route = (): Route => (location.hash === routes.activity ? "activity" : "swap")

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener("hashchange", listener)
  return () => window.removeEventListener("hashchange", listener)
}

/** Returns the part of the page that is shown. It changes with links and with the back button. */
export const useRoute = (): Route => useSyncExternalStore(subscribe, route)

/** Shows the form, for a question that the user must answer there. */
export const showForm = (): void => {
  if (route() !== "swap") location.hash = routes.swap
}

/** Sets the title of the window to that of the shown part. */
export const setTitle = (): void => {
  document.title = route() === "activity" ? `${text.activity.title}: GeoSwap` : text.page.title
}
