import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "@effect/vitest"
import { bundleGuest, type Guest } from "../../../tooling/runtimes/bundle.ts"
import { minimumNode, node } from "../../../tooling/runtimes/installed.ts"
import { documentedGlobals, runReactNative } from "../../../tooling/runtimes/reactNative.ts"
import { isWhole } from "../../../tooling/testing/matrix.ts"

let guest: Guest
beforeAll(async () => {
  guest = await bundleGuest(fileURLToPath(new URL("./runtimes/reactNative.ts", import.meta.url)))
})
afterAll(() => guest.remove())

it("finds the globals in the page", () => {
  expect(documentedGlobals()).toEqual(expect.arrayContaining(["AbortController", "TextEncoder", "URL", "fetch"]))
  expect(documentedGlobals()).not.toContain("crypto")
})

for (const { label, path = "" } of isWhole ? [minimumNode, node] : [minimumNode]) {
  it.skipIf(path === "")(
    `swaps with only the globals that the page lists for React Native, in ${label}`,
    { timeout: 300_000 },
    async ({ signal }) => {
      expect(guest.imports).toEqual([])
      expect(await runReactNative(path, { folder: guest.folder, input: {}, signal })).toEqual({
        swap: "settled",
        tooLarge: "ProtocolError",
        steps: ["quoted", "built", "verified", "signed", "submitted", "status", "done"],
        aborted: "Error: The call was aborted.",
        missing: ["undefined", "undefined", "undefined", "undefined", "undefined"]
      })
    }
  )
}
