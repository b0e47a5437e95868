/** Checks for unfinished swaps before a new swap starts, because a user who repeats a swap by mistake pays twice. */
import { Chain, Client, type Store, type Quote } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { Flags } from "../../flags/Flags.js"
import { declined, failure, UnfinishedSwap } from "../../output/Exit.js"
import * as Output from "../../output/Output.js"
import { quoteArgument } from "../../output/shellQuote.js"
import * as Prompts from "../../terminal/Prompts.js"
import { LocalStore } from "../../swap/stateFiles.js"
import * as Outcome from "../../swap/outcome.js"
import { type FlowState, initialFlowState } from "../../swap/trackSwap.js"
import * as Unfinished from "../../swap/unfinished/format.js"
import { closeIfFinal, resumeFlow } from "../../swap/unfinished/resume.js"

const refusal = (flow: Store.Flow) =>
  new UnfinishedSwap({
    message: `An earlier swap from this wallet is unfinished: ${flow.id}. Nothing was signed.`,
    next: `Run geoswap resume ${quoteArgument(flow.id)} first. If you know how that swap ended, run geoswap forget ${quoteArgument(flow.id)}.`,
    flowId: flow.id,
    ...(flow.swapId !== undefined && { swapId: flow.swapId })
  })

/** Asks the user what to do about an unfinished swap. Fails unless the user chooses to start the new swap. */
const askAbout = Effect.fnUntraced(function* (flow: Store.Flow, flowState: FlowState, blocks: boolean) {
  const output = yield* Output.Output
  yield* Output.notice(yield* Unfinished.format(flow, output.noticeStyle))
  const choices = [
    { title: "Resume it first", value: "resume" },
    blocks
      ? { title: "Forget it: I know how it ended, and that both swaps may be paid if I am wrong", value: "forget" }
      : { title: "Leave it unfinished and continue", value: "leave" },
    { title: "Stop", value: "stop" }
  ]
  const choice = yield* Prompts.select("An earlier swap from this wallet is unfinished.", choices, "")
  if (choice === "leave") return
  if (choice === "forget") return yield* Client.forget(flow.id)
  if (choice === "resume") {
    const entry = yield* resumeFlow(flow, flowState)
    // After this point, an interruption concerns the new swap.
    Object.assign(flowState, initialFlowState())
    yield* Output.notice(Outcome.format(entry, output.noticeStyle))
    if (yield* Prompts.confirm("Do you still want to start the new swap?")) return
  }
  return yield* declined("The new swap was not started.", "Run the command again when you are ready.")
})

/**
 * Looks for unfinished swaps in the store, and closes those that have reached a final status. One that the new swap could
 * repeat blocks it, unless a person decides to forget it; `--yes` is not enough. At a terminal, the user is asked about all
 * unfinished swaps of the wallet. Otherwise, they are only reported.
 */
export const checkUnfinished = Effect.fnUntraced(function* (
  request: Quote.QuoteRequest,
  idempotencyKey: string | undefined,
  flowState: FlowState
) {
  const output = yield* Output.Output
  const local = yield* LocalStore
  const familyOf = yield* Chain.Families
  const { yes } = yield* Flags
  const { damaged, unfinished } = yield* local.contents
  for (const path of damaged) {
    return yield* failure(
      `The file ${path} is damaged, and a swap may depend on it. Nothing was signed.`,
      "Inspect the file, and remove it once you know how the swap ended."
    )
  }
  for (const { busy, flow } of unfinished) {
    // A flow with the same idempotency key belongs to the same swap, so the flow is resumed and the swap is not
    // repeated.
    if (idempotencyKey !== undefined && flow.idempotencyKey === idempotencyKey) continue
    if (busy) {
      yield* Output.notice(`Another process is working on swap ${flow.id}.`)
      continue
    }
    const closed = yield* closeIfFinal(flow)
    if (closed !== undefined) {
      yield* Output.notice(`The earlier swap ${closed.swapId} is now ${closed.status}.`)
      continue
    }
    const blocks = Client.blocks((yield* local.find(flow.id)) ?? flow, request, familyOf)
    const isOfWallet = Chain.sameAddress(
      familyOf(request.originChain),
      flow.request.walletAddress,
      request.walletAddress
    )
    if (isOfWallet && output.interactive && !yes) {
      yield* askAbout(flow, flowState, blocks)
    } else if (blocks) {
      return yield* refusal(flow)
    } else {
      yield* Output.notice(`An earlier swap is unfinished. Resume it: geoswap resume ${quoteArgument(flow.id)}`)
    }
  }
})
