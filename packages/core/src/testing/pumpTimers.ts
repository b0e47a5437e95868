/** Runs a task on the fake timers of a test framework, which advance until the task has finished. */

/**
 * Lets the event loop run, so that everything that is ready continues. Uses a message, because test frameworks do not
 * replace `MessageChannel`. Each message has its own channel: Node delivers many messages on one channel without
 * running anything else in between.
 */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener("message", () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })

/** How often the event loop runs before the timers advance. */
const turns = 4

const settleTurns = async () => {
  if (typeof MessageChannel === "undefined") return
  for (let turn = 0; turn < turns; turn++) await nextTurn()
}

/**
 * Runs a task while fake timers advance. `advance` moves the timers by one step, and is called whenever the task has
 * nothing left to do but wait. Your test framework's timeout applies to the task.
 *
 * @example
 * ```ts
 * // vitest, and jest with `jest` instead of `vi`
 * await pumpTimers(client.execute(request), () => vi.advanceTimersToNextTimerAsync())
 * // node:test
 * await pumpTimers(client.execute(request), () => mock.timers.tick(1000))
 * ```
 */
export const pumpTimers = async <A>(
  task: PromiseLike<A> | (() => PromiseLike<A>),
  advance: () => unknown
): Promise<A> => {
  const running = Promise.resolve(typeof task === "function" ? task() : task)
  const state = { settled: false }
  const settle = () => {
    state.settled = true
  }
  running.then(settle, settle)
  await settleTurns()
  while (!state.settled) {
    await advance()
    await settleTurns()
  }
  return running
}
