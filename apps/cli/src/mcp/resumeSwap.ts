/** Resumes a signed flow of the wallet. */
import { Client } from "@geoswap/core"
import { type Call, progressOf } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import type { Directory } from "../chains/Directory.js"
import type { Settings } from "../config/Settings.js"
import * as History from "../swap/History.js"
import { FileJournal } from "../swap/stateFiles.js"
import { names } from "./names.js"
import { pendingEntry, readSwap, record, seconds, walletOf } from "./readSwaps.js"
import { RunningKeys } from "./RunningKeys.js"
import { entryView } from "./swapView.js"
import { fail } from "./toolError.js"

/** Resumes the flow with this flow id or swap id. */
export const resume = Effect.fnUntraced(function* (id: string, duration: number, { onProgress }: Call) {
  const journal = yield* FileJournal
  const { unfinished } = yield* journal.contents
  const found = unfinished.find(({ flow }) => flow.id === id || flow.swapId === id)
  if (found === undefined) {
    const known = yield* History.find(id)
    if (known !== undefined) return yield* readSwap(known.swapId)
    return yield* fail(
      "NOTHING_TO_RESUME",
      "There is no unfinished swap with this id.",
      "Call list_swaps for the swaps of this wallet."
    )
  }
  const { flow } = found
  const wallet = yield* walletOf(flow)
  if (!(yield* journal.claim(flow.id))) {
    return yield* fail(
      "BUSY",
      "Another process is working on this swap.",
      "Wait a minute, and then call get_swap or list_swaps."
    )
  }
  const context = yield* Effect.context<Directory | Settings>()
  const origin: History.Origin = {
    flowId: flow.id,
    createdAt: flow.createdAt,
    output: flow.output,
    request: flow.request
  }
  const known = yield* names
  const { during } = yield* RunningKeys
  const resumed = Client.resume(flow.id, {
    timeout: seconds(duration),
    onProgress: (event) =>
      Effect.gen(function* () {
        if (event.type === "submitted" || event.type === "done") {
          yield* record(yield* History.entryOf(event.swap, origin))
        }
        onProgress(progressOf(event))
      }).pipe(Effect.provideContext(context))
  }).pipe(
    Effect.provide(wallet.layer({ originChain: flow.request.originChain })),
    Effect.flatMap((swap) => History.entryOf(swap, origin)),
    Effect.catchTag("WaitTimeout", ({ swapId }) => pendingEntry(swapId)),
    Effect.map((entry) => entryView(known, entry))
  )
  return yield* during(flow.idempotencyKey, resumed)
})
