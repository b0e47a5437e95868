/** Terminal prompts. They are written to standard error, which keeps standard output clean. */
import * as Effect from "effect/Effect"
import * as Prompt from "effect/cli/Prompt"
import * as Result from "effect/Result"
import type * as Terminal from "effect/Terminal"
import { type Explained, failure, declined } from "../output/Exit.js"
import { Flags } from "../flags/Flags.js"
import { Output } from "../output/Output.js"
import * as linePrompts from "./linePrompts.js"

/** What a prompt needs. */
export type Environment = Output | Prompt.Environment | Terminal.Terminal

/**
 * Runs a prompt, or its form in lines if the terminal cannot be redrawn. Fails without a terminal; Ctrl-C ends the
 * program.
 */
const ask = <A, E>(
  prompt: Prompt.Prompt<A>,
  inLines: Effect.Effect<A, Terminal.QuitError, Terminal.Terminal>,
  failure: E
) =>
  Effect.gen(function* () {
    const { interactive, redraws } = yield* Output
    if (!interactive) return yield* Effect.fail(failure)
    const answer = redraws ? Prompt.run(prompt) : inLines
    return yield* Effect.catchTag(answer, "QuitError", () => Effect.interrupt)
  })

const noTerminal = (next: string) => failure("Input is required, but no interactive terminal is available.", next)

/** Asks for a line of text. `hint` says what to do if there is no terminal. An empty answer means `initial`. */
export const text = (message: string, hint: string, initial = "") =>
  ask(Prompt.String({ message, default: initial }), linePrompts.text(message, initial), noTerminal(hint))

/** Asks for a secret without echoing it. */
export const secret = (message: string, hint: string) =>
  ask(Prompt.Hidden({ message }), linePrompts.secret(message), noTerminal(hint))

/** Asks the user to choose one of several options. */
export const select = <A>(
  message: string,
  choices: ReadonlyArray<{ readonly title: string; readonly value: A; readonly description?: string }>,
  hint: string
) => ask(Prompt.Select({ message, choices }), linePrompts.select(message, choices), noTerminal(hint))

const unconfirmed = declined(
  "Your confirmation is required, but no interactive terminal is available.",
  "Pass --yes if you are sure."
)

/** Asks a yes-or-no question (default: no). `--yes` answers yes. Without a terminal, only `--yes` can. */
export const confirm = (message: string) =>
  Effect.flatMap(Flags, ({ yes }) =>
    yes
      ? Effect.succeed(true)
      : ask(Prompt.Confirm({ message, initial: false }), linePrompts.confirm(message), unconfirmed)
  )

/** Asks the user to type "yes", because a mistake would be costly. Any other answer means no. */
export const confirmTyped = (question: string) => {
  const message = `${question} (type "yes")`
  const answer = ask(Prompt.String({ message }), linePrompts.text(message), unconfirmed)
  return Effect.map(answer, (typed) => typed.trim() === "yes")
}

/**
 * Asks again, after saying what was wrong, until the answer is valid. `answer` must contain a prompt. Without a
 * terminal, the first failure is final.
 */
export const untilValid = <A, E extends Explained, R>(answer: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const output = yield* Output
    while (true) {
      const result = yield* Effect.result(answer)
      if (Result.isSuccess(result)) return result.success
      const { failure } = result
      if (!output.interactive) return yield* Effect.fail(failure)
      yield* output.notice(output.noticeStyle.yellow(`${failure.message} ${failure.next}`))
    }
  })
