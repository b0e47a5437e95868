/** Ends a command that concerns several swaps. */
import * as Effect from "effect/Effect"
import * as Exit from "../output/Exit.js"
import { Output } from "../output/Output.js"
import type * as History from "./History.js"
import { codeOf } from "./outcome.js"
import { exitUnlessOk } from "./trackSwap.js"

/** A swap, or why nothing is known about it, with an id. */
export type Ended<Id extends object> = Id & ({ readonly swap: History.Entry } | { readonly error: Exit.Explanation })

/** From most to least severe: an unknown outcome, an error, a refusal, and a failed or refunded swap. */
const severe = [Exit.codes.unknown, Exit.codes.error, Exit.codes.refused, Exit.codes.unfulfilled] as const

/** Prints the swaps with `--json`, and ends with the most severe exit code. */
export const endAll = Effect.fnUntraced(function* <Id extends object>(name: string, ended: ReadonlyArray<Ended<Id>>) {
  const output = yield* Output
  if (output.mode === "json") {
    yield* output.json({
      [name]: ended.map((one) => ("error" in one ? { ...one, ...Exit.toJson(one.error, output) } : one))
    })
  }
  const codes = ended.map((one) => ("error" in one ? one.error.exitCode : codeOf(one.swap)))
  return yield* exitUnlessOk(severe.find((code) => codes.some((one) => one === code)) ?? Exit.codes.ok)
})
