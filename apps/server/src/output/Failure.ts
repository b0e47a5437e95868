/** A failure that the operator has to fix, with the message that the command prints. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { errorCode } from "../node/errorCode.js"

export class Failure extends Schema.TaggedError<Failure>()("Failure", { message: Schema.String }) {}

/** A failure that lists problems below a title. */
export const failureList = (title: string, problems: ReadonlyArray<string>) =>
  new Failure({ message: [title, ...problems.map((problem) => `  - ${problem}`)].join("\n") })

/** Runs a function that may throw a system error, and explains the error by its code, such as `ENOENT`. */
export const attempt = <A>(run: () => A, explain: (code: string) => string) =>
  Effect.try({ try: run, catch: (cause) => new Failure({ message: explain(errorCode(cause)) }) })
