import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { bundleGuest, type Guest } from "../../../tooling/runtimes/bundle.ts"
import { workerd } from "../../../tooling/runtimes/installed.ts"
import { runtimes } from "../../../tooling/runtimes/runtimes.ts"
import { isWhole } from "../../../tooling/testing/matrix.ts"

let guest: Guest
beforeAll(async () => {
  guest = await bundleGuest(fileURLToPath(new URL("./runtimes/guest.ts", import.meta.url)))
})
afterAll(() => guest.remove())

it("bundles a file without imports", () => {
  expect(guest.imports).toEqual([])
})

// The transport's tests run a swap in all runtimes. What a signer calls is plain JavaScript: here, it runs in the one that
// differs most from Node, and takes the least time.
const chosen = runtimes.filter(({ label }) => isWhole || label === workerd.label)

describe("the bundle passes the complete signer contract", () => {
  for (const { label, path = "", start } of chosen) {
    it.skipIf(path === "")(`in ${label}`, { timeout: 300_000 }, async ({ signal }) => {
      const result = await start(path, { folder: guest.folder, input: {}, signal })
      expect(result).toEqual({ cases: 196, failures: [] })
    })
  }
})
