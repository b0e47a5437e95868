/** Maps with a bounded number of entries. */

/** Adds an entry. Drops the oldest entry if there are more than `capacity`. */
export const remember = <K, A>(map: Map<K, A>, key: K, value: A, capacity: number): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.size > capacity ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
}
