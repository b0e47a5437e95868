/** The Node services that the command-line framework requires. Commands do not use these services. */
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Stdio from "effect/Stdio"
import * as terminal from "../terminal/terminal.js"

const spawner = Layer.succeed(
  ChildProcessSpawner.ChildProcessSpawner,
  ChildProcessSpawner.make(() => Effect.die(new Error("This program does not start processes.")))
)

/** Provides all Node services that the command-line framework requires. */
export const layer = Layer.mergeAll(
  FileSystem.layerNoop({ exists: (path) => Effect.sync(() => existsSync(path)) }),
  Path.layer,
  Stdio.layerTest({}),
  spawner,
  terminal.layer
)
