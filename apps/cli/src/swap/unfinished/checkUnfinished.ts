/** Checks for unfinished swaps before a new swap starts, because a user who repeats a swap by mistake pays twice. */
import { Chain, type Journal } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Directory } from "../../chains/Directory.js"
import { Flags } from "../../commands/Flags.js"
import { Declined, Failure, UnfinishedSwap } from "../../output/Exit.js"
import { Output } from "../../output/Output.js"
import { shellQuote } from "../../output/shellQuote.js"
import * as Prompts from "../../terminal/Prompts.js"
import { FileJournal } from "../stateFiles.js"
import * as Outcome from "../outcome.js"
import { type FlowState, initialFlowState } from "../trackSwap.js"
import * as Unfinished from "./format.js"
import { closeIfFinal, resumeFlow } from "./resume.js"

const refusal = (flow: Journal.Flow) =>
  new UnfinishedSwap({
    message: `An earlier swap from this wallet is unfinished: ${flow.id}. Nothing was signed.`,
    next: `Run geoswap resume ${shellQuote(flow.id)} first, or pass --ignore-unfinished if you know the outcome of that swap.`,
    flowId: flow.id,
    ...(flow.swapId !== undefined && { swapId: flow.swapId })
  })

const choices = [
  { title: "Resume it first", value: "resume" },
  { title: "Leave it unfinished and continue", value: "ignore" },
  { title: "Stop", value: "stop" }
] as const

/** Asks the user what to do about an unfinished swap. Fails unless the user chooses to start the new swap. */
const askAbout = Effect.fnUntraced(function* (flow: Journal.Flow, flowState: FlowState) {
  const output = yield* Output
  const directory = yield* Directory
  yield* output.notice(Unfinished.format(flow, directory, output.noticeStyle, yield* Clock.currentTimeMillis))
  const choice = yield* Prompts.select("An earlier swap from this wallet is unfinished.", choices, "")
  if (choice === "ignore") return
  if (choice === "resume") {
    const entry = yield* resumeFlow(flow, flowState)
    // After this point, an interruption concerns the new swap.
    Object.assign(flowState, initialFlowState())
    yield* output.notice(Outcome.format(entry, output.noticeStyle))
    if (yield* Prompts.confirm("Do you still want to start the new swap?")) return
  }
  return yield* new Declined({
    message: "The new swap was not started.",
    next: "Run the command again when you are ready."
  })
})

/**
 * Looks for unfinished swaps in the journal, and closes those that have reached a final status. An unfinished swap from
 * this wallet blocks the new swap unless the user explicitly chooses to continue; `--yes` is not enough. A swap that
 * another process is working on, or a swap from another wallet, is only reported.
 */
export const checkUnfinished = Effect.fnUntraced(function* (
  family: Chain.Family,
  wallet: string,
  { idempotencyKey, ignore }: { readonly idempotencyKey: string | undefined; readonly ignore: boolean },
  flowState: FlowState
) {
  const output = yield* Output
  const journal = yield* FileJournal
  const { yes } = yield* Flags
  const { damaged, unfinished } = yield* journal.contents
  for (const path of damaged) {
    const message = `The journal file ${path} is damaged, and a swap may depend on it.`
    if (!ignore) {
      return yield* new Failure({
        message: `${message} Nothing was signed.`,
        next: "Inspect the file, and remove it once you know how the swap ended; or pass --ignore-unfinished."
      })
    }
    yield* output.notice(message)
  }
  for (const { busy, flow } of unfinished) {
    // A flow with the same idempotency key belongs to the same swap, so the flow is resumed and the swap is not
    // repeated.
    if (idempotencyKey !== undefined && flow.idempotencyKey === idempotencyKey) continue
    if (busy) {
      yield* output.notice(`Another process is working on swap ${flow.id}.`)
      continue
    }
    const closed = yield* closeIfFinal(flow)
    if (closed !== undefined) {
      yield* output.notice(`The earlier swap ${closed.swapId} is now ${closed.status}.`)
    } else if (ignore || !Chain.sameAddress(family, flow.request.walletAddress, wallet)) {
      yield* output.notice(`An earlier swap is unfinished. Resume it: geoswap resume ${shellQuote(flow.id)}`)
    } else if (yes || !output.interactive) {
      return yield* refusal(flow)
    } else {
      yield* askAbout(flow, flowState)
    }
  }
})
