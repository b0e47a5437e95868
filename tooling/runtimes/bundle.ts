/** Bundles a guest, which is a test module with a `run` function, into one file with the built packages. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rolldown } from "rolldown"

/** Files that start the guest, one or more for each runtime that needs them. */
const starters = {
  "thread.js": `import { parentPort, workerData } from "node:worker_threads"
import { run } from "./guest.js"
parentPort.postMessage(await run(workerData))`,

  "webWorker.js": `import { run } from "./guest.js"
onunhandledrejection = ({ reason }) => { throw reason }
onmessage = async ({ data }) => postMessage(await run(data))`,

  "module.js": `import { run } from "./guest.js"
let floating
addEventListener("unhandledrejection", ({ reason }) => { floating = reason ?? new Error("unhandled rejection") })
export default { fetch: async (request) => {
  const result = await run(await request.json())
  await new Promise((resolve) => setTimeout(resolve))
  if (floating !== undefined) throw floating
  return Response.json(result)
} }`,

  "workerd.capnp": `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [
        (name = "module.js", esModule = embed "module.js"),
        (name = "guest.js", esModule = embed "guest.js")
      ],
      compatibilityDate = "2026-11-01"
    )),
    (name = "internet", network = (allow = ["local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);`
}

export interface Guest {
  readonly folder: string
  /** The imports that remain after bundling. A guest that runs everywhere has no remaining imports. */
  readonly imports: ReadonlyArray<string>
  /** The paths of the bundled modules. */
  readonly modules: ReadonlyArray<string>
  readonly remove: () => Promise<void>
}

/** A program that runs the guest, for runtimes that are started with a file. */
export const programOf = (input: unknown): string => `import { run } from "./guest.js"
console.log(JSON.stringify(await run(${JSON.stringify(input)})))`

/** The target platform of a bundle. Packages may have separate builds for browsers. */
export type Platform = "browser" | "node"

/** Bundles the guest into a new folder, together with its start files. */
export const bundleGuest = async (file: string, platform: Platform = "browser"): Promise<Guest> => {
  const bundle = await rolldown({ input: file, platform })
  const folder = await mkdtemp(join(tmpdir(), "geoswap-runtimes-"))
  const { output } = await bundle.write({ file: join(folder, "guest.js"), format: "esm", codeSplitting: false })
  await bundle.close()
  for (const [name, text] of Object.entries(starters)) await writeFile(join(folder, name), text)
  // Makes Node load the files as modules.
  await writeFile(join(folder, "package.json"), `{ "type": "module" }`)
  const [{ imports, moduleIds }] = output
  return { folder, imports, modules: moduleIds, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Bundles a program for Node into a folder. What it imports on demand stays separate. Returns the program's path. */
export const bundleProgram = async (file: string, folder: string): Promise<string> => {
  const bundle = await rolldown({ input: file, platform: "node" })
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "program.js" })
  await bundle.close()
  await writeFile(join(folder, "package.json"), `{ "type": "module" }`)
  return join(folder, "program.js")
}
