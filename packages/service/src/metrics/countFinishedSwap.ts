/** Counts finished swaps. */
import { Clock } from "effect/Clock"
import * as Effect from "effect/Effect"
import type { State, SwapRecord } from "../domain/SwapRecord.js"
import { swapDuration, swapsEnded } from "./series.js"

/** Counts a swap that has just finished in the given state. */
export const countFinishedSwap = (
  { createdAt, destinationChain, originChain }: Pick<SwapRecord, "createdAt" | "destinationChain" | "originChain">,
  state: State
) =>
  Effect.withFiber((fiber) => {
    const { context } = fiber
    const [origin, destination] = [String(originChain), String(destinationChain)]
    swapsEnded({ state, origin, destination }).updateUnsafe(1, context)
    const millis = fiber.getRef(Clock).currentTimeMillisUnsafe() - createdAt
    swapDuration({ state }).updateUnsafe(Math.max(0, millis) / 1_000, context)
    return Effect.void
  })
