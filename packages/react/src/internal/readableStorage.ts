/** `localStorage`, where it can be read. Looking at it may throw already. */
export const readableStorage = (): Storage | undefined => {
  try {
    localStorage.getItem("geoswap.probe")
    return localStorage
  } catch {
    return undefined
  }
}
