/** Runs the guest in a runtime. Everything that was started is stopped afterwards, or when `signal` aborts. */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { createReadStream } from "node:fs"
import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import { chromium } from "playwright-core"
import { launchOptions } from "../testing/chromium.ts"
import { programOf } from "./bundle.ts"

/** The input for running a guest. */
export interface Run {
  /** The guest's folder. */
  readonly folder: string
  /** The argument for the guest's `run`, which must be JSON. */
  readonly input: unknown
  readonly signal: AbortSignal
}

/** A clean environment: no proxy, no Node options, no user settings. */
const environment = (folder: string) => ({ HOME: folder, TMPDIR: folder, DENO_DIR: folder, NO_COLOR: "1" })

/** Runs the guest in a separate process, which prints the result. */
export const runProcess = async (path: string, args: ReadonlyArray<string>, { folder, input, signal }: Run) => {
  const program = join(folder, "program.js")
  await writeFile(program, programOf(input))
  const { stdout } = await promisify(execFile)(path, [...args, program], {
    cwd: folder,
    env: environment(folder),
    killSignal: "SIGKILL",
    signal
  })
  return JSON.parse(stdout) as unknown
}

/** Runs the guest in a worker thread. */
export const runThread = async ({ folder, input, signal }: Run) => {
  const worker = new Worker(join(folder, "thread.js"), { workerData: input, execArgv: [], env: {} })
  try {
    // Rejects if the worker fails.
    const [result] = (await once(worker, "message", { signal })) as [unknown]
    return result
  } finally {
    await worker.terminate()
  }
}

/** Runs the guest in Cloudflare's runtime, as a module worker that responds with the result. */
export const runWorkerd = async (path: string, { folder, input, signal }: Run) => {
  const child = spawn(path, ["serve", "workerd.capnp", "--control-fd=3"], {
    cwd: folder,
    env: environment(folder),
    stdio: ["ignore", "inherit", "inherit", "pipe"],
    killSignal: "SIGKILL",
    signal
  })
  const kill = () => child.kill("SIGKILL")
  process.once("exit", kill)
  const exited = once(child, "exit")
  const ended = exited.then(() => Promise.reject(new Error("workerd exited before it responded")))
  ended.catch(() => undefined)
  try {
    // workerd prints its port.
    const lines = createInterface(child.stdio[3] as Readable)
    const [line] = (await Promise.race([once(lines, "line"), ended])) as [string]
    const { port } = JSON.parse(line) as { readonly port: number }
    const request = fetch(`http://127.0.0.1:${port}`, { method: "POST", body: JSON.stringify(input), signal })
    const response = await Promise.race([request, ended])
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return JSON.parse(text) as unknown
  } finally {
    kill()
    await exited.catch(() => undefined)
    process.off("exit", kill)
  }
}

/** The expressions that run the guest in a page or in a web worker. */
const places = {
  page: (input: string) => `import("/guest.js").then(({ run }) => run(${input}))`,
  worker: (input: string) => `new Promise((resolve, reject) => {
    const worker = new Worker("/webWorker.js", { type: "module" })
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error("The worker failed: " + message))
    worker.postMessage(${input})
  })`
}

/** Serves an empty page and the guest on localhost. */
const serveGuest = async (folder: string) => {
  const server = createServer(({ url = "" }, response) => {
    if (url.endsWith(".js")) {
      response.writeHead(200, { "content-type": "text/javascript" })
      createReadStream(join(folder, url)).pipe(response)
    } else {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>guest</title>")
    }
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** Runs the guest in a browser page, or in one of its web workers. */
export const runBrowser = async (executablePath: string, place: keyof typeof places, run: Run) => {
  const { folder, input, signal } = run
  await using site = await serveGuest(folder)
  // Playwright creates a new profile by default.
  const browser = await chromium.launch({
    ...launchOptions,
    executablePath,
    headless: true,
    env: environment(folder)
  })
  const close = () => void browser.close()
  signal.addEventListener("abort", close)
  try {
    const page = await browser.newPage()
    const errors: Array<Error> = []
    page.on("pageerror", (error) => errors.push(error))
    await page.goto(site.url)
    const result = await page.evaluate<unknown>(places[place](JSON.stringify(input)))
    if (errors.length > 0) throw new AggregateError(errors, "The page had errors.")
    return result
  } finally {
    signal.removeEventListener("abort", close)
    await browser.close()
  }
}
