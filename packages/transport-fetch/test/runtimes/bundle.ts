/** The guest as one file, from the built packages. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import type { Input } from "./guest.js"

/** What starts the guest in a runtime, beside it in one folder. */
const starters = {
  "thread.js": `import { parentPort, workerData } from "node:worker_threads"
import { run } from "./guest.js"
parentPort.postMessage(await run(workerData))`,

  "webWorker.js": `import { run } from "./guest.js"
onunhandledrejection = ({ reason }) => { throw reason }
onmessage = async ({ data }) => postMessage(await run(data))`,

  "module.js": `import { run } from "./guest.js"
export default { fetch: async (request) => Response.json(await run(await request.json())) }`,

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

/** A program for runtimes that are started with a file. */
export const programOf = (input: Input): string => `import { run } from "./guest.js"
console.log(JSON.stringify(await run(${JSON.stringify(input)})))`

/** Bundles the guest into a new folder, beside what starts it, and names the modules that went into it. */
export const bundleGuest = async () => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("./guest.ts", import.meta.url)),
    platform: "browser"
  })
  const folder = await mkdtemp(join(tmpdir(), "geoswap-runtimes-"))
  const { output } = await bundle.write({ file: join(folder, "guest.js"), format: "esm", codeSplitting: false })
  await bundle.close()
  for (const [name, text] of Object.entries(starters)) await writeFile(join(folder, name), text)
  // So that Node takes what lies there for modules.
  await writeFile(join(folder, "package.json"), `{ "type": "module" }`)
  const [{ imports, moduleIds }] = output
  return { folder, imports, modules: moduleIds, remove: () => rm(folder, { recursive: true, force: true }) }
}
