/** How many status requests a server holds, from its admin listener. */
export const heldAt = async (port: number): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  return Number(/^geoswap_held_requests (\d+)$/m.exec(await response.text())?.[1])
}
