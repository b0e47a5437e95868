/** The terminal for prompts: reads keystrokes from standard input, and writes to standard error. */
import type { Key } from "node:readline"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Terminal from "effect/Terminal"
import type * as Cause from "effect/Cause"
import { Host } from "../node/Host.js"

/** Reads single keystrokes without echoing them. The terminal mode is restored when the scope closes. */
const rawKeys = ({ stdin }: Host) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { createInterface, emitKeypressEvents } = await import("node:readline")
      const lines = createInterface({ input: stdin, escapeCodeTimeout: 50 })
      emitKeypressEvents(stdin, lines)
      if (stdin.isTTY === true) stdin.setRawMode?.(true)
      return lines
    }),
    (lines) =>
      Effect.sync(() => {
        if (stdin.isTTY === true) stdin.setRawMode?.(false)
        lines.close()
        stdin.pause()
      })
  )

const readInput = Effect.gen(function* () {
  const host = yield* Host
  const lines = yield* rawKeys(host)
  const { stdin } = host
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
const readLine = Effect.flatMap(Host, ({ stdin }) =>
  Effect.callback<string, Terminal.QuitError>((resume) => {
    const opened = import("node:readline").then(({ createInterface }) => {
      const lines = createInterface({ input: stdin, terminal: false })
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
  }).pipe(Effect.ensuring(Effect.sync(() => void stdin.pause())))
)

/** The host's terminal. */
export const layer = Layer.succeed(
  Terminal.Terminal,
  Terminal.make({
    columns: Effect.sync(() => process.stderr.columns || 80),
    rows: Effect.sync(() => process.stderr.rows || 24),
    size: Queue.make<Terminal.Size, Cause.Done>(),
    readInput,
    readLine,
    display: (text) => Effect.map(Host, ({ write }) => write("stderr", text))
  })
)
