import { layer as withLayer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, it, vi } from "vitest"
import { describeOnAnvil } from "../../../packages/devnet/test/onAnvil.js"
import { mistakesOf, schemas } from "./jsonSchema.js"
import { run } from "./runCli.js"
import { layer, World } from "./fixture.js"

vi.setConfig({ testTimeout: 300_000 })

/** The commands that no other test runs with `--json`, and the schema of each. */
const commands: ReadonlyArray<readonly [schema: string, ...args: ReadonlyArray<string>]> = [
  ["cli-chains", "chains"],
  ["cli-tokens", "tokens", "devnet-a"],
  ["cli-tokens", "token", "list"],
  ["cli-balance", "balance"],
  ["cli-delegation", "delegation"],
  ["cli-doctor", "doctor"],
  ["cli-config", "config", "show"],
  ["cli-config", "config", "path"],
  ["cli-completions", "completions", "bash"],
  ["cli-history", "history"],
  ["cli-resume", "resume"],
  ["cli-error", "tokens", "nowhere"]
]

it("finds what does not fit a schema", () => {
  expect(mistakesOf("cli-units", "10")).toEqual([])
  expect(mistakesOf("cli-units", 10)).toEqual(["cli-units is no string"])
  expect(mistakesOf("cli-units", "-1")).toHaveLength(1)
  expect(mistakesOf("cli-error", { error: { name: "X", message: "" } })).toEqual(["cli-error.error.next is missing"])
  expect(
    mistakesOf("cli-swap", { swap: { swapId: "s", status: "done", updatedAt: "2026-01-01T00:00:00Z", more: 1 } })
  ).toEqual(["cli-swap.swap.status is none of pending, settled, failed, refunded", "cli-swap.swap.more is not known"])
  expect(mistakesOf("cli-event", { type: "signed", signature: "0x" }).length).toBeGreaterThan(0)
  expect(schemas.size).toBeGreaterThan(15)
})

describeOnAnvil("answers in JSON", () =>
  withLayer(layer, { timeout: 300_000, excludeTestServices: true })((it) => {
    it.effect("are as docs/cli.md says", () =>
      Effect.gen(function* () {
        const world = yield* World
        const place = yield* world.place
        for (const [schema, ...args] of commands) {
          const { stdout } = yield* run(place, ...args, "--devnet", "--json")
          expect([args, mistakesOf(schema, JSON.parse(stdout))]).toEqual([args, []])
        }
      })
    )
  })
)
