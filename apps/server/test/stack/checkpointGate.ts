/** Stops a server at a checkpoint of a swap until the test lets it continue. */
import * as Effect from "effect/Effect"
import { make as run } from "./fixture.js"
import * as Latch from "effect/Latch"

export interface Gate {
  /** The hook for the server. */
  readonly mark: (step: string) => Effect.Effect<void>
  /** Stops the next swap that reaches the checkpoint. */
  readonly close: () => Promise<void>
  /** Returns when a swap waits there. */
  readonly reached: () => Promise<void>
  /** Lets it continue; later swaps are not stopped. */
  readonly open: () => Promise<void>
}

export const gateAt = (step: string): Gate => {
  const gate = Latch.makeUnsafe(true)
  const arrival = Latch.makeUnsafe(false)
  return {
    mark: (name) => (name === step ? Effect.andThen(arrival.open, gate.await) : Effect.void),
    close: () => run(Effect.andThen(arrival.close, gate.close)).then(() => undefined),
    reached: () => run(arrival.await),
    open: () => run(gate.open).then(() => undefined)
  }
}
