/** Handles `geoswap forget`: removes a flow from the store, as a person's decision. */
import { Client } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { resumingSession } from "../agent/signingSession.js"
import * as Exit from "../output/Exit.js"
import * as Output from "../output/Output.js"
import { quoteArgument } from "../output/shellQuote.js"
import * as Session from "../service/Session.js"
import { findById } from "../swap/findById.js"
import * as StateFiles from "../swap/stateFiles.js"
import * as Unfinished from "../swap/unfinished/format.js"
import * as Prompts from "../terminal/Prompts.js"
import { Flags } from "../flags/Flags.js"

const risk =
  "Its signature may still be executed. Forget it only if you know how it ended: if you are wrong and swap again, you pay twice."

const forget = Effect.fnUntraced(function* (id: string) {
  const output = yield* Output.Output
  const local = yield* StateFiles.LocalStore
  const { yes } = yield* Flags
  const { unfinished } = yield* local.contents
  const found = yield* findById(unfinished, id, ({ flow }) => [flow.id, flow.swapId])
  if (found === undefined) {
    return yield* Exit.failure(
      `There is no unfinished swap "${Output.stripControls(id)}".`,
      "To list your swaps, run 'geoswap history'."
    )
  }
  const { busy, flow } = found
  if (busy) {
    return yield* Exit.failure(
      `Another process is working on flow ${flow.id}.`,
      "Wait until that process has finished."
    )
  }
  yield* Output.notice(yield* Unfinished.format(flow, output.noticeStyle))
  yield* Output.notice(risk)
  if (!yes && !(output.interactive && (yield* Prompts.confirm("Forget this swap?")))) {
    return yield* Exit.declined(
      "Nothing was forgotten.",
      `Run geoswap resume ${quoteArgument(flow.id)} to learn how the swap ended, or pass --yes.`
    )
  }
  yield* Effect.provide(Client.forget(flow.id), resumingSession(flow))
  return yield* Output.result({ forgotten: flow.id }, () => `Forgot ${flow.id}.`)
})

/** Forgets an unfinished swap. */
export const run = ({ id }: { readonly id: string }) =>
  Effect.provide(
    forget(id),
    StateFiles.layer.pipe(Layer.provideMerge(Session.directoryConfigured), Layer.provideMerge(Session.connection))
  )
