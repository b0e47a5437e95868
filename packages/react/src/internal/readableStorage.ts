/** Returns `localStorage`, or `undefined` if it cannot be read. Even accessing `localStorage` may throw. */
export const readableStorage = (): Storage | undefined => {
  try {
    localStorage.getItem("geoswap.probe")
    return localStorage
  } catch {
    return undefined
  }
}
