/** `geoswap resume`: takes up swaps that were interrupted, with the very same bytes. */
import type { Journal } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Directory } from "../chains/Directory.js"
import * as Exit from "../output/Exit.js"
import * as FileJournal from "../swap/FileJournal.js"
import type { Entry } from "../swap/History.js"
import { endAs, nothing, type Reached, tellInterrupted } from "../swap/trackSwap.js"
import { resume as takeUp } from "../swap/unfinished/resume.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as Outcome from "../swap/outcome.js"
import * as Unfinished from "../swap/unfinished/format.js"

const usage = (message: string, next: string) => new Exit.UsageError({ message, next })

/** The flows that are meant: one by its id or by that of its swap, all, or the only one. */
const chosen = Effect.fnUntraced(function* (named: Option.Option<string>, all: boolean) {
  const journal = yield* FileJournal.FileJournal
  const output = yield* Output.Output
  const directory = yield* Directory
  if (Option.isSome(named) && all) return yield* usage("One is named, and --all as well.", "Use one of the two.")
  const { damaged, unfinished } = yield* journal.contents
  const flows = unfinished.map(({ flow }) => flow)
  if (Option.isSome(named)) {
    const found = flows.filter(({ id, swapId }) => id === named.value || swapId === named.value)
    // Reading it by name tells what is wrong with a file that is damaged.
    if (found.length === 0) yield* journal.get(named.value)
    return found.length > 0
      ? found
      : yield* new Exit.Failure({
          message: `No unfinished swap is called "${Output.clean(named.value)}".`,
          next:
            flows.length === 0
              ? "There is none to resume: see geoswap history."
              : `There are: ${flows.map(({ id }) => id).join(", ")}`
        })
  }
  for (const path of damaged) {
    yield* output.remark(`The file ${path} is damaged and cannot be resumed. It is kept: a swap may depend on it.`)
  }
  if (flows.length > 1 && !all) {
    for (const flow of flows) yield* output.remark(Unfinished.words(flow, directory, output.remarkStyle))
    return yield* usage("Several swaps are unfinished.", "Name one of them, or add --all.")
  }
  return flows
})

/** What became of one flow. */
type Became =
  | { readonly flowId: string; readonly swap: Entry }
  | { readonly flowId: string; readonly told: Exit.Explanation }

const become = (flow: Journal.Flow, reached: Reached) =>
  Effect.map(Effect.result(takeUp(flow, reached)), (result): Became =>
    Result.isSuccess(result)
      ? { flowId: flow.id, swap: result.success }
      : { flowId: flow.id, told: Exit.explain(result.failure) }
  )

const codeOf = (became: Became): number =>
  "swap" in became ? Outcome.codeOf(became.swap.status) : became.told.exitCode

/** The worst of several: unknown before an error, that before a swap that came to nothing. */
const worst = (codes: ReadonlyArray<number>): Exit.Code =>
  ([Exit.codes.unknown, Exit.codes.error, Exit.codes.refused, Exit.codes.unfulfilled] as const).find((code) =>
    codes.includes(code)
  ) ?? Exit.codes.ok

const takeUpAll = Effect.fnUntraced(function* (named: Option.Option<string>, all: boolean) {
  const output = yield* Output.Output
  const directory = yield* Directory
  const forPeople = output.mode === "terminal" || output.mode === "lines"
  const flows = yield* chosen(named, all)
  const results: Array<Became> = []
  for (const flow of flows) {
    if (forPeople) yield* output.line(Unfinished.words(flow, directory, output.style))
    const reached = nothing()
    const became = yield* Effect.onInterrupt(become(flow, reached), () => tellInterrupted(reached))
    results.push(became)
    if ("told" in became) {
      if (forPeople || output.mode === "json-lines") yield* Exit.tell(became.told, output)
    } else yield* output.line(Outcome.words(became.swap, output.style))
  }
  if (forPeople && flows.length === 0) yield* output.line("Nothing is unfinished.")
  if (output.mode === "json") {
    yield* output.json({
      resumed: results.map((became) =>
        "swap" in became ? became : { flowId: became.flowId, ...Exit.toJson(became.told) }
      )
    })
  }
  return yield* endAs(worst(results.map(codeOf)))
})

/** Takes up what was interrupted. */
export const run = ({ all, id }: { readonly all: boolean; readonly id: Option.Option<string> }) =>
  Effect.provide(
    takeUpAll(id, all),
    Layer.mergeAll(
      FileJournal.layer,
      Session.readers(() => true)
    ).pipe(Layer.provideMerge(Session.reads))
  )
