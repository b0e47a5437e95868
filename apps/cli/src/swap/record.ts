/** Records swaps in the history: running ones as they progress, and others when their status is read. */
import type { Swap, SwapEvent } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Directory } from "../chains/Directory.js"
import type { Settings } from "../config/Settings.js"
import { Output } from "../output/Output.js"
import * as History from "./History.js"

/** Records a swap in the history. If the history cannot be written, the swap continues. */
const record = (entry: History.Entry) =>
  Effect.catch(History.write(entry), ({ message }) =>
    Effect.flatMap(Output, (output) => output.notice(`${message} The swap continues.`))
  )

/** Returns a swap's entry, which is recorded if the swap was started on this machine. */
export const update = Effect.fnUntraced(function* (swap: Swap.Swap, earlier?: History.Entry) {
  const known = earlier ?? (yield* History.find(swap.swapId))
  const entry = yield* History.entryOf(swap, known)
  if (known !== undefined) yield* record(entry)
  return entry
})

/** Follows the events of a running swap, and records it once the service has accepted it. */
export const recorder = Effect.fnUntraced(function* (started: History.Origin) {
  const context = yield* Effect.context<Directory | Output | Settings>()
  let origin = started
  const entryOf = Effect.fnUntraced(function* (swap: Swap.Swap) {
    // A repeated call has no flow. It records a swap that an earlier call could not record.
    const known = origin.flowId === undefined ? yield* History.find(swap.swapId) : undefined
    return yield* History.entryOf(swap, known ?? origin)
  }, Effect.provideContext(context))
  const follow = Effect.fnUntraced(function* (event: SwapEvent.SwapEvent) {
    if (event.type === "quoted") origin = { ...origin, request: event.request }
    if ("quote" in event) origin = { ...origin, output: event.quote.output }
    if (event.type === "built") origin = { ...origin, paymentMethod: event.paymentMethod }
    if ("flowId" in event) origin = { ...origin, flowId: event.flowId }
    if (event.type === "submitted" || event.type === "done") yield* record(yield* entryOf(event.swap))
  }, Effect.provideContext(context))
  return { entryOf, follow }
})

/** Records a running swap. */
export type Recorder = Effect.Success<ReturnType<typeof recorder>>
