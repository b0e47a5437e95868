/** `for await` over what a program tells on its way. */

/** Starts a program; it tells values through `tell` and ends when its promise does. */
export type Start<A> = (tell: (value: A) => void, signal: AbortSignal) => Promise<unknown>

/**
 * The values of a program, which starts with the first `next` and is aborted when the loop is left. What the caller
 * aborts with, or the program fails with, is thrown into the loop once all values before it were taken.
 */
export async function* iterate<A>(start: Start<A>, outer?: AbortSignal): AsyncGenerator<A, void, void> {
  const controller = new AbortController()
  const relay = () => controller.abort(outer?.reason)
  if (outer?.aborted) relay()
  outer?.addEventListener("abort", relay)
  const values: Array<A> = []
  let wake = () => {}
  let end: { readonly error?: unknown } | undefined
  const running = start((value) => {
    values.push(value)
    wake()
  }, controller.signal).then(
    () => {
      end = {}
      wake()
    },
    (error: unknown) => {
      end = { error }
      wake()
    }
  )
  try {
    while (true) {
      while (values.length > 0) yield values.shift() as A
      if (end !== undefined) break
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    if ("error" in end) throw end.error
  } finally {
    outer?.removeEventListener("abort", relay)
    controller.abort()
    await running
  }
}
