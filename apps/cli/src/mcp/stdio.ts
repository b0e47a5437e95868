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

const stdio = Layer.succeed(
  Stdio.Stdio,
  Stdio.make({
    args: Effect.succeed([]),
    stdinIsTerminal: Effect.succeed(false),
    stdoutIsTerminal: Effect.succeed(false),
    stderrIsTerminal: Effect.succeed(false),
    stdout: () => Sink.forEach(write),
    stderr: () => Sink.forEach((chunk: string | Uint8Array) => Effect.sync(() => void process.stderr.write(chunk))),
    stdin: Stream.orDie(Stream.fromAsyncIterable(process.stdin as AsyncIterable<Uint8Array>, (error) => error))
  })
)

/** Serves until the client closes standard input and all requests have been answered. */
export const serveStdio = Effect.fnUntraced(function* (services: Context.Context<Services>, version: string) {
  const server = McpServer.layerStdio({ ...serverOptions(version), registrations: registrations(services) })
  // At the end of its input, the server interrupts the fiber that it runs in, which is how a session normally ends.
  const running = yield* Effect.forkChild(Layer.launch(Layer.provide(server, stdio)))
  const exit = yield* Fiber.await(running)
  if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
})
