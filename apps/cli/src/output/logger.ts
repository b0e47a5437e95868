/** Where the libraries log to: standard output is for the answer. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { Shape as OutputShape } from "./Output.js"
import { foreign } from "./text.js"

/** Logs each entry as one remark on standard error. */
export const layer = (output: OutputShape) =>
  Logger.layer([
    Logger.make(({ cause, message }) => {
      const said = (Array.isArray(message) ? message : [message]).map(String).join(" ")
      const reason = cause.reasons.length === 0 ? "" : ` ${String(Cause.squash(cause))}`
      Effect.runSync(output.remark(foreign(said + reason, 400)))
    })
  ])
