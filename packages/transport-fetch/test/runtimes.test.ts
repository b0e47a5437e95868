import { readFile } from "node:fs/promises"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { bundleGuest } from "./runtimes/bundle.js"
import { type Run, runBrowser, runProcess, runThread, runWorkerd } from "./runtimes/hosts.js"
import { bun, chromium, deno, node, workerd } from "./runtimes/installed.js"
import { startServices } from "./runtimes/services.js"

/** No configuration, no code from elsewhere, and no permission but to reach this machine. */
const denoArgs = ["run", "--no-prompt", "--no-config", "--no-lock", "--no-remote", "--allow-net=127.0.0.1"]

const runtimes: ReadonlyArray<{
  readonly label: string
  readonly path?: string
  readonly start: (path: string, run: Run) => Promise<unknown>
}> = [
  { ...node, start: (path, run) => runProcess(path, [], run) },
  { ...node, label: `a worker thread of ${node.label}`, start: (_, run) => runThread(run) },
  { ...bun, start: (path, run) => runProcess(path, ["run"], run) },
  { ...deno, start: (path, run) => runProcess(path, denoArgs, run) },
  { ...workerd, start: runWorkerd },
  { ...chromium, label: `a page of ${chromium.label}`, start: (path, run) => runBrowser(path, "page", run) },
  { ...chromium, label: `a web worker of ${chromium.label}`, start: (path, run) => runBrowser(path, "worker", run) }
]

let guest: Awaited<ReturnType<typeof bundleGuest>>
beforeAll(async () => {
  guest = await bundleGuest()
})
afterAll(() => guest.remove())

it("the file that runs everywhere is made of the built packages and imports nothing", () => {
  const packages = fileURLToPath(new URL("../..", import.meta.url))
  const ours = guest.modules
    .map((path) => relative(packages, path))
    .filter((path) => /^(core|transport-fetch)\//.test(path))
  expect(ours).toContain("core/dist/promise.js")
  expect(ours).toContain("transport-fetch/dist/promise.js")
  expect(ours.filter((path) => path.includes("/src/"))).toEqual([])
  expect(guest.imports).toEqual([])
})

describe("the same file swaps, streams, aborts and fails alike", () => {
  for (const { label, path = "", start } of runtimes) {
    it.skipIf(path === "")(`in ${label}`, { timeout: 60_000 }, async ({ signal }) => {
      await using services = await startServices()
      const result = await start(path, { folder: guest.folder, input: services.input, signal })
      expect(result).toEqual({
        swap: "settled",
        progress: ["quoted", "authorizing", "built", "verified", "signed", "submitted", "status", "done"],
        steps: ["quoted", "built", "verified", "signed", "submitted", "status", "done"],
        abortedWithReason: true,
        badKey: { _tag: "Unauthorized", hasRequestId: true },
        late: { _tag: "Unavailable", reason: "timeout", hasRequestId: false },
        redirected: { _tag: "ProtocolError", hasRequestId: false },
        cut: { _tag: "Unavailable", reason: "network", hasRequestId: false }
      })
      expect(services.service.swaps.map(({ status }) => status)).toEqual(["settled", "settled"])
      expect(services.failing.received.map(({ url }) => url)).not.toContain("/elsewhere")
    })
  }
})

it("the README names the versions that are pinned", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8")
  const unnamed = [bun, deno, workerd].filter(({ label, path }) => path !== undefined && !readme.includes(label))
  expect(unnamed).toEqual([])
})
