/** Makes the values that a program emits available to a `for await` loop. */

/** Starts a program that emits values and ends when its promise settles. */
export type Start<A> = (emit: (value: A) => void, signal: AbortSignal) => Promise<unknown>

/**
 * Iterates over a program's values. The program starts with the first `next` call and is aborted when the loop exits.
 * If the program is aborted or fails, yields all earlier values and then throws the abort reason or the error.
 */
export async function* toAsyncIterable<A>(start: Start<A>, outer?: AbortSignal): AsyncGenerator<A, void, void> {
  const leaving = new AbortController()
  const values: Array<A> = []
  let ended = false
  let wake = () => {}
  // React Native has no `AbortSignal.any`.
  const follow = () => leaving.abort(outer?.reason)
  if (outer?.aborted) follow()
  outer?.addEventListener("abort", follow)
  const running = start((value) => {
    values.push(value)
    wake()
  }, leaving.signal).finally(() => {
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
    outer?.removeEventListener("abort", follow)
    leaving.abort()
    await silenced
  }
}
