import * as Effect from "effect/Effect"
import { describe, expect, it, vi } from "vitest"
import { schemaErrors, schemas } from "./jsonSchema.js"
import { run } from "./runCli.js"
import { onDevnet, Fixture } from "./fixture.js"

vi.setConfig({ testTimeout: 300_000 })

/** The commands that no other test runs with `--json`, and their schemas. */
const commands: ReadonlyArray<readonly [schema: string, ...args: ReadonlyArray<string>]> = [
  ["cli-chains", "chains"],
  ["cli-tokens", "tokens", "devnet-a"],
  ["cli-tokens", "token", "list"],
  ["cli-tokens", "token", "search", "usdc"],
  ["cli-keys", "keys", "list"],
  ["cli-contacts", "contacts", "list"],
  ["cli-watch", "watch"],
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

it("reports values that do not match a schema", () => {
  expect(schemaErrors("cli-units", "10")).toEqual([])
  expect(schemaErrors("cli-units", 10)).toEqual(["cli-units is not of type string"])
  expect(schemaErrors("cli-units", "-1")).toHaveLength(1)
  expect(schemaErrors("cli-error", { error: { name: "X", message: "" } })).toEqual(["cli-error.error.next is missing"])
  expect(
    schemaErrors("cli-swap", {
      swap: { swapId: "s", status: "done", evidence: "proved", updatedAt: "2026-01-01T00:00:00Z", more: 1 }
    })
  ).toEqual(["cli-swap.swap.status is not one of pending, settled, failed, refunded", "cli-swap.swap.more is unknown"])
  expect(schemaErrors("cli-event", { type: "signed", signature: "0x" }).length).toBeGreaterThan(0)
  expect(schemas.size).toBeGreaterThan(15)
})

describe("JSON output", () => {
  onDevnet((it) => {
    it.effect("matches the schemas in docs/cli.md", () =>
      Effect.gen(function* () {
        const fixture = yield* Fixture
        const workspace = yield* fixture.workspace
        for (const [schema, ...args] of commands) {
          const { stdout } = yield* run(workspace, ...args, "--devnet", "--json")
          expect([args, schemaErrors(schema, JSON.parse(stdout))]).toEqual([args, []])
        }
      })
    )
  })
})
