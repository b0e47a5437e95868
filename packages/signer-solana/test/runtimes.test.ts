import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { bundleGuest, type Guest, type Platform } from "../../../tooling/runtimes/bundle.ts"
import { chromium, workerd } from "../../../tooling/runtimes/installed.ts"
import { runtimes } from "../../../tooling/runtimes/runtimes.ts"
import { isWhole } from "../../../tooling/testing/matrix.ts"

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

// The transport's tests run a swap in all runtimes. What a signer needs besides JavaScript is Web Crypto: here, it runs in
// the two whose Web Crypto differs most from Node's, and with both builds of kit.
const chosen = runtimes.filter(
  ({ label }) => isWhole || label === workerd.label || label === `a page in ${chromium.label}`
)

describe("the same program passes the complete signer contract", () => {
  for (const { label, path = "", platform, start } of chosen) {
    it.skipIf(path === "")(`in ${label}`, { timeout: 300_000 }, async ({ signal }) => {
      const result = await start(path, { folder: `${guests.get(platform)?.folder}`, input: {}, signal })
      expect(result).toEqual({ cases: 71, failures: [] })
    })
  }
})
