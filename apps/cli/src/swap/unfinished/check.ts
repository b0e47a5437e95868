/** What a new swap does about one that was interrupted: whoever repeats a swap by mistake pays twice. */
import { Chain, type Journal } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Ask from "../../terminal/Prompts.js"
import { Directory } from "../../chains/Directory.js"
import { Declined, Failure } from "../../output/Exit.js"
import { FileJournal } from "../FileJournal.js"
import { Flags } from "../../commands/Flags.js"
import { Output } from "../../output/Output.js"
import * as Outcome from "../outcome.js"
import * as Unfinished from "./format.js"
import { forShell } from "../../output/shellQuote.js"
import { nothing, type Reached } from "../trackSwap.js"
import { conclude, resume } from "./resume.js"

const refusal = (flow: Journal.Flow) =>
  new Failure({
    message: `An earlier swap of this wallet is unfinished: ${flow.id}. Nothing was signed.`,
    next: `Run geoswap resume ${forShell(flow.id)} first, or add --ignore-unfinished where you know what became of it.`
  })

const choices = [
  { title: "Take it up first", value: "resume" },
  { title: "Leave it as it is, and go on", value: "ignore" },
  { title: "Stop", value: "stop" }
] as const

/** Asks about one flow; comes back where the new swap is still wanted. */
const askAbout = Effect.fnUntraced(function* (flow: Journal.Flow, reached: Reached) {
  const output = yield* Output
  const directory = yield* Directory
  yield* output.remark(Unfinished.words(flow, directory, output.remarkStyle))
  const choice = yield* Ask.choose("An earlier swap of this wallet is unfinished.", choices, "")
  if (choice === "ignore") return
  if (choice === "resume") {
    const entry = yield* resume(flow, reached)
    // From here on, an interruption is about the new swap.
    Object.assign(reached, nothing())
    yield* output.remark(Outcome.words(entry, output.remarkStyle))
    if (yield* Ask.confirm("Do you still want the new swap?")) return
  }
  return yield* new Declined({ message: "The new swap was not started.", next: "Run it again when you want to." })
})

/**
 * Looks for swaps that were left. One that has ended meanwhile is closed. One of this wallet stops a new swap unless the
 * person decides otherwise: `--yes` is no such decision. One that another process works on, or of another wallet, is
 * told and stops nothing.
 */
export const settle = Effect.fnUntraced(function* (
  family: Chain.Family,
  wallet: string,
  { idempotencyKey, ignore }: { readonly idempotencyKey: string | undefined; readonly ignore: boolean },
  reached: Reached
) {
  const output = yield* Output
  const journal = yield* FileJournal
  const { yes } = yield* Flags
  const { damaged, unfinished } = yield* journal.contents
  for (const path of damaged) {
    const message = `The journal's file ${path} is damaged, and a swap may depend on it.`
    if (!ignore) {
      return yield* new Failure({
        message: `${message} Nothing was signed.`,
        next: "Look at it, and remove it once you know how that swap ended; or add --ignore-unfinished."
      })
    }
    yield* output.remark(message)
  }
  for (const { busy, flow } of unfinished) {
    // The same swap, which is resumed and not repeated.
    if (idempotencyKey !== undefined && flow.idempotencyKey === idempotencyKey) continue
    if (busy) {
      yield* output.remark(`Another process works on the swap ${flow.id}.`)
      continue
    }
    const ended = yield* conclude(flow)
    if (ended !== undefined) {
      yield* output.remark(`The earlier swap ${ended.swapId} has ended: ${ended.status}.`)
    } else if (ignore || !Chain.sameAddress(family, flow.request.walletAddress, wallet)) {
      yield* output.remark(`An earlier swap is unfinished: geoswap resume ${forShell(flow.id)}`)
    } else if (yes || !output.canAsk) {
      return yield* refusal(flow)
    } else {
      yield* askAbout(flow, reached)
    }
  }
})
