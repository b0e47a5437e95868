/** The Node services that `effect/cli` requires. The commands themselves do not use these services. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Queue from "effect/Queue"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Terminal from "effect/Terminal"

const writeTo = (stream: "stdout" | "stderr") => () =>
  Sink.forEach((chunk: string | Uint8Array) => Effect.sync(() => void process[stream].write(chunk)))

const stdio = Stdio.make({
  args: Effect.sync(() => process.argv.slice(2)),
  stdout: writeTo("stdout"),
  stderr: writeTo("stderr"),
  stdin: Stream.empty
})

/** A terminal that accepts no input, because no command prompts the user. */
const terminal = Terminal.make({
  columns: Effect.succeed(80),
  rows: Effect.succeed(24),
  size: Queue.make(),
  readInput: Effect.die(new Error("geoswap-server does not prompt.")),
  readLine: Effect.fail(new Terminal.QuitError({})),
  display: (text) => Effect.sync(() => void process.stderr.write(text))
})

const spawner = ChildProcessSpawner.make(() => Effect.die(new Error("geoswap-server does not start other programs.")))

export const layer = Layer.mergeAll(
  FileSystem.layerNoop({}),
  Path.layer,
  Layer.succeed(Stdio.Stdio, stdio),
  Layer.succeed(Terminal.Terminal, terminal),
  Layer.succeed(ChildProcessSpawner.ChildProcessSpawner, spawner)
)
