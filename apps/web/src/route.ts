/** Which part of the page is shown, by the fragment of its address: the swap form, or the activity. */
import { text } from "./language/language.js"
import { onWindow } from "./ui/store.js"

/** The links to the parts. A fragment works on any server of static files, and leaves the form's state as it is. */
export const routes = { swap: "#/", activity: "#/activity" } as const

/** The part of the page that is shown. It changes with links and with the back button. */
export const route = {
  get: (): keyof typeof routes => (location.hash === routes.activity ? "activity" : "swap"),
  subscribe: onWindow("hashchange")
}

/** Shows the form, for a question that the user must answer there. */
export const showForm = () => {
  if (route.get() !== "swap") location.hash = routes.swap
}

/** Sets the title of the window to that of the shown part. */
export const setTitle = () => {
  document.title = route.get() === "activity" ? `${text.activity.title}: GeoSwap` : text.page.title
}
