import { readFile } from "node:fs/promises"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { bundleGuest, type Guest } from "../../../tooling/runtimes/bundle.ts"
import { bun, deno, minimumNode, workerd } from "../../../tooling/runtimes/installed.ts"
import { runtimes } from "../../../tooling/runtimes/runtimes.ts"
import { startServices } from "./runtimes/services.js"

let guest: Guest
beforeAll(async () => {
  guest = await bundleGuest(fileURLToPath(new URL("./runtimes/guest.ts", import.meta.url)))
})
afterAll(() => guest.remove())

it("bundles the built packages into a file without imports", () => {
  const packages = fileURLToPath(new URL("../..", import.meta.url))
  const ours = guest.modules
    .map((path) => relative(packages, path))
    .filter((path) => /^(core|transport-fetch)\//.test(path))
  expect(ours).toContain("core/dist/promise/client.js")
  expect(ours).toContain("transport-fetch/dist/promise.js")
  expect(ours.filter((path) => path.includes("/src/"))).toEqual([])
  expect(guest.imports).toEqual([])
})

describe("the bundle swaps, streams, aborts and fails in the same way", () => {
  for (const { label, path = "", start } of runtimes) {
    it.skipIf(path === "")(`in ${label}`, { timeout: 300_000 }, async ({ signal }) => {
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

it("lists the pinned versions in the README", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8")
  const unnamed = [minimumNode, bun, deno, workerd].filter(
    ({ label, path }) => path !== undefined && !readme.includes(label)
  )
  expect(unnamed).toEqual([])
})
