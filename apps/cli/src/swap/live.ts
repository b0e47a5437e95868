/** Text that is drawn in place on a terminal, again and again until it is stopped. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Output } from "../output/Output.js"

/** Draws what `render` returns for the current time, once per `millis`, until the scope closes. */
export const live = Effect.fnUntraced(function* (render: (now: number) => string, millis: number) {
  const output = yield* Output
  let drawn = 0
  let paused = false
  const replace = (text: string) => {
    const erase = drawn === 0 ? "" : `\u001B[${drawn}A\u001B[J`
    drawn = text.split("\n").length - 1
    return output.write(erase + text)
  }
  const draw = Effect.flatMap(Clock.currentTimeMillis, (now) => (paused ? Effect.void : replace(`${render(now)}\n`)))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(draw, Effect.sleep(millis))))
  return {
    draw,
    /** Erases the text while an effect uses the terminal, for example to prompt the user. */
    pause: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.andThen(
        Effect.suspend(() => {
          paused = true
          return replace("")
        }),
        Effect.ensuring(
          effect,
          Effect.sync(() => {
            paused = false
          })
        )
      ),
    /** Draws the text for the last time. Text that was erased for a prompt is not drawn again. */
    stop: Effect.suspend(() =>
      Effect.map(drawn === 0 ? Effect.void : draw, () => {
        paused = true
        drawn = 0
      })
    )
  }
})
