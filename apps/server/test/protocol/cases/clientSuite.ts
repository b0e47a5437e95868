/** Runs cases of the protocol client against the real server on real chains. */
import { describe, layer } from "@effect/vitest"
import { type Cases, running, suiteLayer } from "./suite.js"

export const clientSuite = (groups: ReadonlyArray<Cases>): void => {
  describe("client that knows only docs/protocol.md", () => {
    layer(suiteLayer(), { timeout: 240_000, excludeTestServices: true })((it) => {
      for (const [title, run] of groups.flatMap((cases) => Object.entries(cases))) {
        it.effect(title, () => running(run), 240_000)
      }
    })
  })
}
