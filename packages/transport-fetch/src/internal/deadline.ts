/** Bounds on work that can be stopped: a deadline, and the caller's own signal. */

/**
 * Runs `work` until it ends, the caller stops it, or its time is up. It rejects at once then, also where `work` does
 * not listen to its signal, and leaves neither a timer nor a listener behind.
 */
export const within = <A>(
  { late, millis, signal }: { readonly late: () => Error; readonly millis: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<A>
): Promise<A> =>
  new Promise((resolve, reject) => {
    const controller = new AbortController()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", onAbort)
    }
    const fail = (reason: unknown) => {
      end()
      reject(reason)
      // After a failure as well: an answer that is not wanted must not hold its connection.
      controller.abort(reason)
    }
    const onAbort = () => fail(signal.reason)
    const timer = setTimeout(() => fail(late()), millis)
    signal.addEventListener("abort", onAbort)
    work(controller.signal).then((value) => {
      end()
      resolve(value)
    }, fail)
  })
