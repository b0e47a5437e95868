/** The Node services that the command-line framework requires. Commands do not use these services. */
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { isTerminal } from "../terminal/isTerminal.js"
import * as terminal from "../terminal/terminal.js"

const writeTo = (stream: "stdout" | "stderr") => () =>
  Sink.forEach((chunk: string | Uint8Array) => Effect.sync(() => void process[stream].write(chunk)))

const stdio = Layer.succeed(
  Stdio.Stdio,
  Stdio.make({
    args: Effect.sync(() => process.argv.slice(2)),
    stdinIsTerminal: Effect.sync(() => isTerminal(0)),
    stdoutIsTerminal: Effect.sync(() => isTerminal(1)),
    stderrIsTerminal: Effect.sync(() => isTerminal(2)),
    stdout: writeTo("stdout"),
    stderr: writeTo("stderr"),
    stdin: Stream.empty
  })
)

const spawner = Layer.succeed(
  ChildProcessSpawner.ChildProcessSpawner,
  ChildProcessSpawner.make(() => Effect.die(new Error("This program does not start processes.")))
)

/** Provides all Node services that the command-line framework requires. */
export const layer = Layer.mergeAll(
  FileSystem.layerNoop({ exists: (path) => Effect.sync(() => existsSync(path)) }),
  Path.layer,
  stdio,
  spawner,
  terminal.layer
)
