/** Replays the transcripts of a client that knows only the interface document, and compares every response. */
import { describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { differences, report } from "./golden/compare.js"
import { delegationFlows } from "./golden/delegationFlows.js"
import { GoldenFixture, goldenLayer } from "./golden/fixture.js"
import type { Flow, Flows } from "./golden/flow.js"
import { outcomeFlows } from "./golden/outcomeFlows.js"
import { paymentFlows } from "./golden/paymentFlows.js"
import { preconditionFlows } from "./golden/preconditionFlows.js"
import { readFlows } from "./golden/readFlows.js"
import * as Recorder from "./golden/recorder.js"
import { refusalFlows } from "./golden/refusalFlows.js"
import { swapFlows } from "./golden/swapFlows.js"
import * as transcripts from "./golden/transcripts.js"

/** Set only by `golden:update`. CI never records. */
const updating = process.env["GOLDEN_UPDATE"] === "1"
if (updating && process.env["CI"]) throw new Error("Transcripts are not recorded in CI: unset GOLDEN_UPDATE.")

const flows: Flows = {
  ...readFlows,
  ...swapFlows,
  ...outcomeFlows,
  ...refusalFlows,
  ...preconditionFlows,
  ...delegationFlows,
  ...paymentFlows
}
const names = [...Object.keys(flows), "status-held"].toSorted()

const hold = (name: string, found: transcripts.Transcript): void => {
  if (updating) return transcripts.write(name, found)
  const recorded = transcripts.names().includes(name) ? transcripts.read(name) : []
  const all = differences(recorded, found)
  if (all.length > 0) throw new Error(report(name, all))
}

const replay = (name: string, flow: Flow) =>
  Effect.flatMap(GoldenFixture, (golden) =>
    Effect.promise(async () => {
      golden.refresh()
      const recorder = Recorder.make()
      await flow(golden, recorder)
      hold(name, recorder.transcript())
    })
  )

describe("client that knows only the interface document", () => {
  layer(goldenLayer, { timeout: 120_000, excludeTestServices: true })((it) => {
    for (const [name, flow] of Object.entries(flows))
      it.effect(`replays ${name} as recorded`, () => replay(name, flow), 120_000)

    it.effect(
      "replays status-held as recorded",
      () =>
        Effect.gen(function* () {
          const { pending } = yield* GoldenFixture
          hold("status-held", (yield* Effect.promise(() => pending)).transcript())
        }),
      60_000
    )

    it.effect("replays every transcript", () => Effect.sync(() => expect(transcripts.names()).toEqual(names)))
  })
})
