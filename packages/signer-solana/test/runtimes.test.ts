import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { bundleGuest, type Guest, type Platform } from "../../../tooling/runtimes/bundle.ts"
import { runtimes } from "../../../tooling/runtimes/runtimes.ts"

/** Kit has one build for pages, which requires https, and one for everything else. */
const guests = new Map<Platform, Guest>()
beforeAll(async () => {
  const file = fileURLToPath(new URL("./runtimes/guest.ts", import.meta.url))
  for (const platform of ["browser", "node"] as const) guests.set(platform, await bundleGuest(file, platform))
})
afterAll(() => Promise.all([...guests.values()].map((guest) => guest.remove())))

it("bundles the file for pages without imports", () => {
  expect(guests.get("browser")?.imports).toEqual([])
})

describe("the same program passes the complete signer contract", () => {
  for (const { label, path = "", platform, start } of runtimes) {
    it.skipIf(path === "")(`in ${label}`, { timeout: 300_000 }, async ({ signal }) => {
      const result = await start(path, { folder: `${guests.get(platform)?.folder}`, input: {}, signal })
      expect(result).toEqual({ cases: 71, failures: [] })
    })
  }
})
