import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { bundleGuest, type Guest } from "../../../tooling/runtimes/bundle.ts"
import { runtimes } from "../../../tooling/runtimes/runtimes.ts"

let guest: Guest
beforeAll(async () => {
  guest = await bundleGuest(fileURLToPath(new URL("./runtimes/guest.ts", import.meta.url)))
})
afterAll(() => guest.remove())

it("bundles a file without imports", () => {
  expect(guest.imports).toEqual([])
})

describe("the bundle passes the complete signer contract", () => {
  for (const { label, path = "", start } of runtimes) {
    it.skipIf(path === "")(`in ${label}`, { timeout: 300_000 }, async ({ signal }) => {
      const result = await start(path, { folder: guest.folder, input: {}, signal })
      expect(result).toEqual({ cases: 224, failures: [] })
    })
  }
})
