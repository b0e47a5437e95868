/**
 * A worker that loads the package from its sources into a realm with only the web globals, and reads the chains of the
 * service at `workerData`. It fails if the package imports or uses anything of Node.
 */
import { readFile } from "node:fs/promises"
import { isBuiltin, stripTypeScriptTypes } from "node:module"
import { createContext, type Module, SourceTextModule } from "node:vm"
import { parentPort, workerData } from "node:worker_threads"

const web = {
  AbortController,
  AbortSignal,
  Headers,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  clearTimeout,
  console,
  crypto,
  fetch,
  performance,
  setTimeout
}
const context = createContext({ ...web })

const resolve = (specifier: string, from: string): string => {
  if (isBuiltin(specifier)) throw new Error(`${from} imports ${specifier}`)
  if (!specifier.startsWith(".")) return import.meta.resolve(specifier)
  // The sources import each other with the extension of the build.
  return new URL(from.endsWith(".ts") ? specifier.replace(/\.js$/, ".ts") : specifier, from).href
}

const modules = new Map<string, Promise<Module>>()
const load = (url: string): Promise<Module> => {
  const loaded = modules.get(url) ?? read(url)
  modules.set(url, loaded)
  return loaded
}
const read = async (url: string): Promise<Module> => {
  const text = await readFile(new URL(url), "utf8")
  return new SourceTextModule(url.endsWith(".ts") ? stripTypeScriptTypes(text) : text, { context, identifier: url })
}

const main = new SourceTextModule(
  `import { createClient } from "@geoswap/core/promise"
   import { FetchTransport, fetchTransport } from "../src/index.js"
   const client = createClient({ transport: fetchTransport({ baseUrl, apiKey: "key-1" }) })
   export const answer = {
     chains: await client.chains(),
     late: await client.status("s-1").catch((error) => error._tag),
     hasLayer: typeof FetchTransport.layer === "function",
     globals: Object.keys(globalThis)
   }`,
  { context, identifier: import.meta.url }
)
Object.assign(context, workerData)
await main.link((specifier, { identifier }) => load(resolve(specifier, identifier)))
await main.evaluate()
const { answer } = main.namespace as { readonly answer: object }
parentPort?.postMessage({ ...answer, own: [...modules.keys()].filter((url) => url.endsWith(".ts")).length }, [])
