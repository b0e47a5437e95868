/** Resumes flows from the store: sends the same signed bytes again, but never from two processes at once. */
import { Client, Store } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Directory, tokenAt } from "../../chains/Directory.js"
import { UnfinishedSwap } from "../../output/Exit.js"
import * as Output from "../../output/Output.js"
import { quoteArgument } from "../../output/shellQuote.js"
import { LocalStore } from "../stateFiles.js"
import * as History from "../History.js"
import * as Progress from "../progress.js"
import { recorder } from "../record.js"
import { type FlowState, trackSwap } from "../trackSwap.js"

/** How the wallet paid for a signature. Unknown on Solana, and if the service sent only a hash. */
const methodOf = ({ operation, payment }: Pick<Store.Flow, "operation" | "payment">) =>
  payment?.method ?? (operation && ("delegation" as const))

/** The part of a flow that the history records. */
export const originOf = (flow: Store.Flow): History.Origin => ({
  flowId: flow.id,
  createdAt: flow.createdAt,
  output: flow.output,
  request: flow.request,
  paymentMethod: [flow, ...(flow.signed ?? [])].map(methodOf).findLast((method) => method !== undefined)
})

/** Resumes a flow until its swap reaches a final status, and updates `flowState` along the way. */
export const resumeFlow = (flow: Store.Flow, flowState: FlowState) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* Store.Store
      const { chains } = yield* Directory
      if (!(yield* store.claim(flow))) {
        return yield* new UnfinishedSwap({
          message: `Another process is already working on flow ${flow.id}.`,
          next: "Wait until that process finishes, then run geoswap history.",
          flowId: flow.id,
          ...(flow.swapId !== undefined && { swapId: flow.swapId })
        })
      }
      const { destinationChain, outputToken } = flow.request
      const token = tokenAt(
        chains.find(({ id }) => id === destinationChain),
        outputToken
      )
      flowState.flowId = flow.id
      flowState.swapId = flow.swapId
      const view = yield* Progress.make("submit", token)
      const recording = yield* recorder(originOf(flow))
      const swap = yield* Client.resume(flow.id, { onProgress: trackSwap(view, flowState, recording) })
      yield* view.close
      return yield* recording.entryOf(swap)
    })
  )

/** How many milliseconds to wait for a flow to finish. */
const timeout = 5_000

/**
 * Returns a flow's swap if the swap has reached a final status, or `undefined` if the swap is still unfinished. A
 * status is treated as final only if resuming the flow confirms it. The service's report alone does not close the flow.
 */
export const closeIfFinal = (flow: Store.Flow) =>
  Effect.gen(function* () {
    const local = yield* LocalStore
    // Without a swap id, resuming would submit the flow again. With a swap id, resuming only reads the status, which
    // does not require a claim on the flow.
    if (flow.swapId === undefined) return undefined
    const resumed = yield* Effect.timeoutOption(
      Effect.option(Client.resume(flow.id, { timeout: timeout - 1_500 })),
      timeout
    )
    const swap = Option.getOrUndefined(Option.flatten(resumed))
    // A successful resume removes the flow from the store.
    if (swap === undefined || (yield* local.find(flow.id)) !== undefined) return undefined
    const entry = yield* History.entryOf(swap, originOf(flow))
    yield* Effect.ignore(History.write(entry))
    return entry
  })

/**
 * Closes a finished swap's flow in the store by resuming the flow, which confirms the final status. If the status
 * cannot be confirmed, prints how to resume the flow.
 */
export const closeFlow = ({ status, swapId }: History.Entry) =>
  Effect.gen(function* () {
    if (status === "pending") return
    const local = yield* LocalStore
    const { unfinished } = yield* local.contents
    for (const { busy, flow } of unfinished) {
      if (busy || flow.swapId !== swapId || (yield* closeIfFinal(flow)) !== undefined) continue
      yield* Output.notice(
        `The status that the service reports could not be confirmed, so the swap stays unfinished. Resume it: geoswap resume ${quoteArgument(flow.id)}`
      )
    }
  })
