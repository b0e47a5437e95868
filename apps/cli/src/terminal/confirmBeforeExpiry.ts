/** The question before a signature, with the time that the price still holds. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Terminal from "effect/Terminal"

/** What is asked. */
export interface Question {
  readonly text: string
  /** Whether the whole word has to be typed, since a slip of a finger would be dear. */
  readonly typed: boolean
  /** When the price runs out, in Unix milliseconds. */
  readonly until: number
}

/** The line as it stands. */
export const lineOf = ({ text, typed, until }: Question, answer: string, now: number): string => {
  const left = Math.ceil((until - now) / 1000)
  const time = left > 0 ? `the price holds ${left} s` : "the price ran out; a new one that is worse is shown first"
  return `? ${text} ${typed ? '(type "yes")' : "(y/N)"} ${answer}  [${time}]`
}

/** Asks, and takes anything but a yes for a no. Giving up with Ctrl-C interrupts. */
export const ask = (question: Question): Effect.Effect<boolean, never, Terminal.Terminal> =>
  Effect.scoped(
    Effect.gen(function* () {
      const terminal = yield* Terminal.Terminal
      const show = (text: string) => Effect.ignore(terminal.display(text))
      let answer = ""
      const draw = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.flatMap(terminal.columns, (columns) =>
          // A line that wraps could not be drawn over.
          show(`\r\u001B[K${lineOf(question, answer, now).slice(0, columns - 1)}`)
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
      const agreed = yield* Effect.catch(read, () => Effect.andThen(show("\n"), Effect.interrupt))
      answer = question.typed ? answer : agreed ? "yes" : "no"
      yield* draw
      yield* show("\n")
      return agreed
    })
  )
