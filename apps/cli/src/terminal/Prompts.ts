/** Questions to the person at the terminal. They are shown on standard error, so that standard output stays clean. */
import * as Effect from "effect/Effect"
import * as Prompt from "effect/cli/Prompt"
import type * as Redacted from "effect/Redacted"
import { Failure } from "../output/Exit.js"
import { Flags } from "../commands/Flags.js"
import { Output } from "../output/Output.js"

/** Asks, where there is somebody to ask; giving up with Ctrl-C ends the program. */
const ask = <A>(prompt: Prompt.Prompt<A>, instead: string) =>
  Effect.gen(function* () {
    const { canAsk } = yield* Output
    if (!canAsk) {
      return yield* new Failure({ message: "This has to be asked, and there is no terminal to ask at.", next: instead })
    }
    return yield* Effect.catchTag(Prompt.run(prompt), "QuitError", () => Effect.interrupt)
  })

/** What a question needs, and how it can fail. */
export type Answer<A> = Effect.Effect<A, Failure, Output | Prompt.Environment>

/** A line of text; `instead` says what to do where nobody can be asked. */
export const text = (
  message: string,
  instead: string,
  options: { readonly initial?: string; readonly validate?: (value: string) => string | undefined } = {}
): Answer<string> =>
  ask(
    Prompt.String({
      message,
      ...(options.initial !== undefined && { default: options.initial }),
      validate: (value) => {
        const wrong = options.validate?.(value)
        return wrong === undefined ? Effect.succeed(value) : Effect.fail(wrong)
      }
    }),
    instead
  )

/** A secret; nothing of it is shown while it is typed. */
export const secret = (message: string, instead: string): Answer<Redacted.Redacted> =>
  ask(Prompt.Hidden({ message }), instead)

/** One of several. */
export const choose = <A>(
  message: string,
  choices: ReadonlyArray<{ readonly title: string; readonly value: A; readonly description?: string }>,
  instead: string
): Answer<A> => ask(Prompt.Select({ message, choices }), instead)

/** Yes or no, and no where nothing is typed; `--yes` answers it. */
export const confirm = (message: string): Effect.Effect<boolean, Failure, Output | Flags | Prompt.Environment> =>
  Effect.gen(function* () {
    const { yes } = yield* Flags
    if (yes) return true
    return yield* ask(Prompt.Confirm({ message, initial: false }), "Say yes with --yes, once you are sure.")
  })
