/** The prompt before signing, with a countdown until the quote expires. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Terminal from "effect/Terminal"
import * as linePrompts from "./linePrompts.js"

/** A yes-or-no question. */
export interface Question {
  readonly text: string
  /** Whether the user must type the full word "yes", because a mistake would be costly. */
  readonly typed: boolean
  /** When the quoted price expires, in Unix milliseconds. */
  readonly until: number
}

/** Formats the question, the answer so far and the time left. */
export const format = ({ text, typed, until }: Question, answer: string, now: number): string => {
  const left = Math.ceil((until - now) / 1000)
  const time =
    left > 0 ? `price valid for ${left} s` : "price expired; you will be asked again if the new price is worse"
  return `? ${text} ${typed ? '(type "yes")' : "(y/N)"} ${answer}  [${time}]`
}

/** Asks the question once, without a countdown. */
export const confirmInLines = (question: Question): Effect.Effect<boolean, never, Terminal.Terminal> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.catchTag(linePrompts.confirm(format(question, "", now), question.typed), "QuitError", () => Effect.interrupt)
  )

/** Asks a yes-or-no question. Any answer other than yes means no. Ctrl-C interrupts the program. */
export const confirmBeforeExpiry = (question: Question): Effect.Effect<boolean, never, Terminal.Terminal> =>
  Effect.scoped(
    Effect.gen(function* () {
      const terminal = yield* Terminal.Terminal
      const show = (text: string) => Effect.ignore(terminal.display(text))
      let answer = ""
      const draw = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.flatMap(terminal.columns, (columns) =>
          // A line that wraps cannot be redrawn.
          show(`\r\u001B[K${format(question, answer, now).slice(0, columns - 1)}`)
        )
      )
      const keys = yield* terminal.readInput
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(draw, Effect.sleep(500))))
      const read = Effect.gen(function* () {
        while (true) {
          const { input, key } = yield* Queue.take(keys)
          const typed = Option.getOrElse(input, () => "")
          if (key.name === "return" || key.name === "enter") return question.typed ? answer.trim() === "yes" : false
          if (key.name === "escape") return false
          if (question.typed) {
            answer =
              key.name === "backspace" ? answer.slice(0, -1) : (answer + typed.replace(/[^a-z]/gi, "")).slice(0, 9)
            yield* draw
          } else if (typed.toLowerCase() === "y") return true
          else if (typed.toLowerCase() === "n") return false
        }
      })
      const accepted = yield* Effect.catch(read, () => Effect.andThen(show("\n"), Effect.interrupt))
      answer = question.typed ? answer : accepted ? "yes" : "no"
      yield* draw
      yield* show("\n")
      return accepted
    })
  )
