/** How a limit is divided between those who use it. */

/**
 * The part of a limit, from 0 to 1, of one who wants `own` calls per second while others want `others`. Nobody gets more
 * than it wants while another gets less than it wants and less than an equal part; what is left over is divided evenly.
 */
export const divide = (limit: number, own: number, others: ReadonlyArray<number>): number => {
  const wanted = [own, ...others].toSorted((one, other) => one - other)
  let left = limit
  for (const [index, demand] of wanted.entries()) {
    const equal = left / (wanted.length - index)
    // From here on everybody wants at least an equal part.
    if (demand >= equal) return Math.min(own, equal) / limit
    left -= demand
  }
  return (own + left / wanted.length) / limit
}
