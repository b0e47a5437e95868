/** Divides a limit among replicas. */

/**
 * Returns the share of a limit, from 0 to 1, for a replica that wants `own` calls per second while the other replicas
 * want `others`. A replica gets more than an equal share only if other replicas want less than their equal shares. If
 * all demand is met, the remainder of the limit is divided evenly.
 */
export const divide = (limit: number, own: number, others: ReadonlyArray<number>) => {
  const wanted = [own, ...others].toSorted((one, other) => one - other)
  let left = limit
  for (const [index, demand] of wanted.entries()) {
    const equal = left / (wanted.length - index)
    // All remaining replicas want at least an equal share.
    if (demand >= equal) return Math.min(own, equal) / limit
    left -= demand
  }
  return (own + left / wanted.length) / limit
}
