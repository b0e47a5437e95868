import { onTestFinished, vi } from "vitest"

/** The timeouts of status, submit and other requests. */
const timeouts = [25_000, 20_000, 10_000]

/** Timeouts that the test fires, in the order of the requests. */
export const deadlinesByHand = (): ReadonlyArray<() => void> => {
  const deadlines: Array<() => void> = []
  const { setTimeout: startTimer } = globalThis
  const timeout = vi.spyOn(globalThis, "setTimeout").mockImplementation((run: () => void, millis?: number) => {
    if (timeouts.includes(millis ?? 0)) deadlines.push(run)
    return startTimer(run, millis)
  })
  onTestFinished(() => timeout.mockRestore())
  return deadlines
}
