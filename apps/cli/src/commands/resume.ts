/** Handles `geoswap resume`: resumes interrupted swaps by sending the same signed bytes again. */
import type { Store } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { resumingSession } from "../agent/signingSession.js"
import * as Exit from "../output/Exit.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as StateFiles from "../swap/stateFiles.js"
import { type Ended, endAll } from "../swap/endAll.js"
import { findById } from "../swap/findById.js"
import * as Outcome from "../swap/outcome.js"
import { type FlowState, initialFlowState, reportInterrupted } from "../swap/trackSwap.js"
import * as Unfinished from "../swap/unfinished/format.js"
import { resumeFlow } from "../swap/unfinished/resume.js"

/**
 * Selects which flows in the store to resume: the flow that the user named by its flow id or swap id, all flows, or
 * the only flow.
 */
const selectFlows = Effect.fnUntraced(function* (named: string | undefined, all: boolean) {
  const local = yield* StateFiles.LocalStore
  const output = yield* Output.Output
  if (named !== undefined && all)
    return yield* Exit.usage("Both an id and --all were passed.", "Pass only one of them.")
  const { damaged, unfinished } = yield* local.contents
  const flows = unfinished.map(({ flow }) => flow)
  if (named !== undefined) {
    const found = yield* findById(flows, named, ({ id, swapId }) => [id, swapId])
    // If the flow's file is damaged, reading the flow by id fails with the reason.
    if (found === undefined) yield* local.find(named)
    return found !== undefined
      ? [found]
      : yield* Exit.failure(
          `There is no unfinished swap "${Output.stripControls(named)}".`,
          flows.length === 0
            ? "There is nothing to resume. To list your swaps, run 'geoswap history'."
            : `Unfinished swaps: ${flows.map(({ id }) => id).join(", ")}`
        )
  }
  for (const path of damaged) {
    yield* Output.notice(
      `The file ${path} is damaged, so its swap cannot be resumed. The file is kept because a swap may depend on it.`
    )
  }
  if (flows.length > 1 && !all) {
    for (const flow of flows) yield* Output.notice(yield* Unfinished.format(flow, output.noticeStyle))
    return yield* Exit.usage("Several swaps are unfinished.", "Pass the id of one of them, or pass --all.")
  }
  return flows
})

type Resumed = Ended<{ readonly flowId: string }>

const tryResume = (flow: Store.Flow, state: FlowState) =>
  Effect.match(Effect.provide(resumeFlow(flow, state), resumingSession(flow)), {
    onFailure: (error): Resumed => ({ flowId: flow.id, error: Exit.explain(error) }),
    onSuccess: (swap): Resumed => ({ flowId: flow.id, swap })
  })

const resumeAll = Effect.fnUntraced(function* (named: string | undefined, all: boolean) {
  const output = yield* Output.Output
  const flows = yield* selectFlows(named, all)
  const results: Array<Resumed> = []
  for (const flow of flows) {
    yield* output.line(yield* Unfinished.format(flow, output.style))
    const state = initialFlowState()
    const resumed = yield* Effect.onInterrupt(tryResume(flow, state), () => reportInterrupted(state))
    results.push(resumed)
    if ("error" in resumed) {
      if (output.mode !== "json") yield* Exit.print(resumed.error, output)
    } else yield* output.line(Outcome.format(resumed.swap, output.style))
  }
  if (flows.length === 0) yield* output.line("There are no unfinished swaps.")
  return yield* endAll("resumed", results)
})

/** Resumes interrupted swaps. */
export const run = ({ all, id }: { readonly all: boolean; readonly id: string | undefined }) =>
  Effect.provide(resumeAll(id, all), StateFiles.layer.pipe(Layer.provideMerge(Session.reads)))
