import { onTestFinished, vi } from "vitest"

/** Timeouts that the test fires, in the order of the requests. */
export const deadlinesByHand = (): ReadonlyArray<AbortController> => {
  const deadlines: Array<AbortController> = []
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const controller = new AbortController()
    deadlines.push(controller)
    return controller.signal
  })
  onTestFinished(() => timeout.mockRestore())
  return deadlines
}
