/** Serves MCP on standard input and output. Nothing else is written to standard output. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import type * as Context from "effect/Context"
import * as McpServer from "effect/ai/McpServer"
import type { Services } from "./backend.js"
import { registrations, serverOptions } from "./server.js"

/** Writes a chunk, and waits until the reader has taken it if the pipe is full. */
const write = (chunk: string | Uint8Array) =>
  Effect.callback<void>((resume) => {
    process.stdout.write(chunk, () => resume(Effect.void))
  })

/** Whether a line is a JSON object or a batch. Anything else would end the server's decoder. */
const isMessage = (line: string) => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null
  } catch {
    return false
  }
}

const parseError = `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } })}\n`

/**
 * The messages on standard input, as lines. A line that is not a message is answered with an error, and a failure to read
 * ends the input, because the client has gone.
 */
const messages = Stream.fromAsyncIterable(process.stdin as AsyncIterable<Uint8Array>, (error) => error).pipe(
  Stream.catchCause(() => Stream.empty),
  Stream.decodeText(),
  Stream.splitLines,
  Stream.filter((line) => {
    if (line.trim() === "") return false
    const isValid = isMessage(line)
    if (!isValid) process.stdout.write(parseError)
    return isValid
  })
)

const stdio = Layer.succeed(
  Stdio.Stdio,
  Stdio.make({
    args: Effect.succeed([]),
    stdinIsTerminal: Effect.succeed(false),
    stdoutIsTerminal: Effect.succeed(false),
    stderrIsTerminal: Effect.succeed(false),
    stdout: () => Sink.forEach(write),
    stderr: () => Sink.forEach((chunk: string | Uint8Array) => Effect.sync(() => void process.stderr.write(chunk))),
    stdin: Stream.map(messages, (line) => new TextEncoder().encode(`${line}\n`))
  })
)

/** Ends when standard output cannot be written, because the client has gone. Calls are then cancelled, so that they clean up. */
const outputClosed = Effect.callback<void>((resume) => {
  process.stdout.on("error", () => resume(Effect.void))
})

/** Serves until the client closes standard input and all requests have been answered, or stops reading the output. */
export const serveStdio = Effect.fnUntraced(function* (services: Context.Context<Services>, version: string) {
  const server = McpServer.layerStdio({ ...serverOptions(version), registrations: registrations(services) })
  // At the end of its input, the server interrupts the fiber that it runs in, which is how a session normally ends.
  const running = yield* Effect.forkChild(Layer.launch(Layer.provide(server, stdio)))
  const exit = yield* Effect.raceFirst(Fiber.await(running), Effect.as(outputClosed, Exit.void))
  yield* Fiber.interrupt(running)
  if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
})

/**
 * Answers the first request with an error, because the server cannot start. A client that only sees the connection close
 * cannot say why.
 */
export const refuseStdio = (message: string) =>
  process.stdin.isTTY
    ? Effect.void
    : messages.pipe(
        Stream.map((line) => JSON.parse(line) as object),
        Stream.filter((request) => "id" in request && "method" in request),
        Stream.take(1),
        Stream.runForEach((request) =>
          write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, error: { code: -32603, message } })}\n`)
        ),
        Effect.timeoutOption("10 seconds"),
        Effect.asVoid
      )
