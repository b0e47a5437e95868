/** `for await` over what a program tells on its way. */

/** Starts a program; it tells values through `tell` and ends when its promise does. */
export type Start<A> = (tell: (value: A) => void, signal: AbortSignal) => Promise<unknown>

/**
 * The values of a program, which starts with the first `next` and is aborted when the loop is left. What the caller
 * aborts with, or the program fails with, is thrown into the loop once all values before it were taken.
 */
export async function* toAsyncIterable<A>(start: Start<A>, outer?: AbortSignal): AsyncGenerator<A, void, void> {
  const leaving = new AbortController()
  const values: Array<A> = []
  let ended = false
  let wake = () => {}
  const running = start(
    (value) => {
      values.push(value)
      wake()
    },
    AbortSignal.any(outer ? [outer, leaving.signal] : [leaving.signal])
  ).finally(() => {
    ended = true
    wake()
  })
  const silenced = running.catch(() => undefined)
  try {
    while (true) {
      while (values.length > 0) yield values.shift() as A
      if (ended) break
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    await running
  } finally {
    leaving.abort()
    await silenced
  }
}
