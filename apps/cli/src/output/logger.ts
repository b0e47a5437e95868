/** Sends library logs to standard error, because standard output is for the result. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { Output } from "./Output.js"
import { sanitize } from "./sanitize.js"

/** Writes each log entry as one line to standard error. */
export const layer = (output: Output) =>
  Logger.layer([
    Logger.make(({ cause, message }) => {
      const text = (Array.isArray(message) ? message : [message]).map(String).join(" ")
      const reason = cause.reasons.length === 0 ? "" : ` ${String(Cause.squash(cause))}`
      Effect.runSync(output.notice(sanitize(text + reason, 400)))
    })
  ])
