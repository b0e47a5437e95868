/** Prompts for terminals that cannot move the cursor (`TERM=dumb`), and for `--plain`: each answer is one line. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Terminal from "effect/Terminal"

const display = (text: string) => Effect.flatMap(Terminal.Terminal, (terminal) => Effect.ignore(terminal.display(text)))

/** Reads a line. Ctrl-D at the start of a line ends the program, as Ctrl-C does. */
const readLine = Effect.flatMap(Terminal.Terminal, ({ readLine }) => readLine)

/** Asks for a line of text. An empty answer means `initial`. */
export const text = (message: string, initial = "") =>
  Effect.gen(function* () {
    yield* display(`${message}${initial === "" ? "" : ` [${initial}]`}: `)
    return (yield* readLine) || initial
  })

/** Asks for a secret. The keys are not echoed. */
export const secret = (message: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const terminal = yield* Terminal.Terminal
      yield* display(`${message}: `)
      const keys = yield* terminal.readInput
      let typed = ""
      while (true) {
        const { input, key } = yield* Effect.mapError(Queue.take(keys), () => new Terminal.QuitError({}))
        if (key.name === "return" || key.name === "enter") break
        typed = key.name === "backspace" ? typed.slice(0, -1) : typed + Option.getOrElse(input, () => "")
      }
      yield* display("\n")
      return Redacted.make(typed)
    })
  )

/** Asks the user to choose one of several options by its number. */
export const select = <A>(
  message: string,
  choices: ReadonlyArray<{ readonly title: string; readonly value: A; readonly description?: string }>
) =>
  Effect.gen(function* () {
    const rows = choices.map(
      ({ description, title }, at) => `  ${at + 1}  ${title}${description === undefined ? "" : ` (${description})`}`
    )
    yield* display(`${[message, ...rows].join("\n")}\n`)
    while (true) {
      yield* display(`Number from 1 to ${choices.length}: `)
      const choice = choices[Number((yield* readLine).trim()) - 1]
      if (choice !== undefined) return choice.value
    }
  })

/** Asks a yes-or-no question. Anything but `y` and `yes` means no. */
export const confirm = (question: string) =>
  Effect.gen(function* () {
    yield* display(`${question} (y/N) `)
    return /^y(es)?$/i.test((yield* readLine).trim())
  })
