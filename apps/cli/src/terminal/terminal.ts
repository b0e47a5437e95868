/** The terminal for prompts: reads keystrokes from standard input, and writes to standard error. */
import type { Key } from "node:readline"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Terminal from "effect/Terminal"
import type * as Cause from "effect/Cause"

/** Reads single keystrokes without echoing them. The terminal mode is restored when the scope closes. */
const rawKeys = Effect.acquireRelease(
  Effect.promise(async () => {
    const { createInterface, emitKeypressEvents } = await import("node:readline")
    const { stdin } = process
    const lines = createInterface({ input: stdin, escapeCodeTimeout: 50 })
    emitKeypressEvents(stdin, lines)
    if (stdin.isTTY) stdin.setRawMode(true)
    return lines
  }),
  (lines) =>
    Effect.sync(() => {
      const { stdin } = process
      if (stdin.isTTY) stdin.setRawMode(false)
      lines.close()
      stdin.pause()
    })
)

const readInput = Effect.gen(function* () {
  const lines = yield* rawKeys
  const { stdin } = process
  const queue = yield* Queue.make<Terminal.UserInput, Cause.Done>()
  const onKeypress = (input: string | undefined, { ctrl = false, meta = false, name = "", shift = false }: Key) => {
    if (ctrl && (name === "c" || name === "d")) Queue.endUnsafe(queue)
    else Queue.offerUnsafe(queue, { input: Option.fromUndefinedOr(input), key: { name, ctrl, meta, shift } })
  }
  const end = () => void Queue.endUnsafe(queue)
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      stdin.on("keypress", onKeypress)
      lines.once("close", end)
    }),
    () =>
      Effect.sync(() => {
        stdin.off("keypress", onKeypress)
        lines.off("close", end)
      })
  )
  return queue
})

/** Reads one line, as the terminal edits and echoes it. */
const readLine = Effect.callback<string, Terminal.QuitError>((resume) => {
  const opened = import("node:readline").then(({ createInterface }) => {
    const lines = createInterface({ input: process.stdin, terminal: false })
    lines.once("line", (line) => {
      resume(Effect.succeed(line))
      lines.close()
    })
    lines.once("close", () => resume(Effect.fail(new Terminal.QuitError({}))))
    return lines
  })
  return Effect.promise(async () => {
    const lines = await opened
    lines.close()
  })
}).pipe(Effect.ensuring(Effect.sync(() => void process.stdin.pause())))

/** This process's terminal. */
export const layer = Layer.succeed(
  Terminal.Terminal,
  Terminal.make({
    columns: Effect.sync(() => process.stderr.columns || 80),
    rows: Effect.sync(() => process.stderr.rows || 24),
    size: Queue.make<Terminal.Size, Cause.Done>(),
    readInput,
    readLine,
    display: (text) => Effect.sync(() => void process.stderr.write(text))
  })
)
