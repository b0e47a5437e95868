/** A flow: steps of the protocol client against a recorded server. */
import * as protocol from "../client.js"
import { type Answer, ask, type Fixture } from "../fixture.js"
import type * as GoldenFixture from "./fixture.js"
import type * as Recorder from "./recorder.js"

export type Flow = (golden: GoldenFixture.Shape, recorder: Recorder.Recorder) => Promise<void>

/** Flows by the names of their transcripts. */
export type Flows = Readonly<Record<string, Flow>>

/** Records the status once the swap is terminal. How many polls are pending before that depends on the machine. */
export const ended = async (quiet: Fixture, recorded: Fixture, swapId: unknown): Promise<Answer> => {
  await protocol.wait(quiet.first, String(swapId))
  return ask(recorded.first, `/swap/status/${String(swapId)}`)
}

/** Waits for a state of a swap. `look` repeats the submit, which returns the state at once; status would be held. */
export const reached = async (
  look: () => Promise<protocol.Swap>,
  is: (swap: protocol.Swap) => boolean
): Promise<protocol.Swap> => {
  for (;;) {
    const swap = await look()
    if (is(swap)) return swap
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
