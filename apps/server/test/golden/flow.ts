/** A flow: steps of the protocol client against a recorded server. */
import * as plain from "../protocol/client.js"
import { type Answer, ask, type World } from "../protocol/fixture.js"
import type * as Recorder from "./recorder.js"
import type * as Stage from "./fixture.js"

export type Flow = (stage: Stage.Shape, recorder: Recorder.Recorder) => Promise<void>

/** Flows by the names of their transcripts. */
export type Flows = Readonly<Record<string, Flow>>

/** Records the status once the swap is terminal. How many polls are pending before that depends on the machine. */
export const ended = async (quiet: World, recorded: World, swapId: unknown): Promise<Answer> => {
  await plain.wait(quiet.first, String(swapId))
  return ask(recorded.first, `/swap/status/${String(swapId)}`)
}

/** Waits for a state of a swap. `look` repeats the submit, which returns the state at once; status would be held. */
export const reached = async (
  look: () => Promise<plain.Swap>,
  is: (swap: plain.Swap) => boolean
): Promise<plain.Swap> => {
  for (;;) {
    const swap = await look()
    if (is(swap)) return swap
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
