/** A failure that the operator has to fix, with the message that the command prints. */
import * as Schema from "effect/Schema"

export class Failure extends Schema.TaggedError<Failure>()("Failure", { message: Schema.String }) {}

/** A failure that lists problems below a title. */
export const failureList = (title: string, problems: ReadonlyArray<string>) =>
  new Failure({ message: [title, ...problems.map((problem) => `  - ${problem}`)].join("\n") })
