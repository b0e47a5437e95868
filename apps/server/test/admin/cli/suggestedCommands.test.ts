import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { makeProgram } from "../../../src/commands/program.js"
import { commandNames, repeatFlags } from "../../../src/output/suggestedCommands.js"
import { run } from "../../stack/program.js"
import { makeWorkspace } from "./fixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 120_000 })

describe("a suggested command", () => {
  it("is recognized for every command of the program", async () => {
    const names = (await makeProgram([])).subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))
    expect(commandNames.toSorted()).toEqual(names.toSorted())
  })

  it("repeats the configuration, and how the program was started", () => {
    const text = "Run geoswap-server check. geoswap-server sets it. Try geoswap-server --help"
    expect(repeatFlags(text, ["serve"], {})).toBe(text)
    expect(repeatFlags(text, ["serve", "--config", "a b.json"], {})).toBe(
      "Run geoswap-server --config 'a b.json' check. geoswap-server sets it. Try geoswap-server --config 'a b.json' --help"
    )
    expect(repeatFlags(text, ["--config=x"], { GEOSWAP_COMMAND: "npm run server --" })).toContain(
      "Run npm run server -- --config x check."
    )
  })

  it.live("works when it is pasted", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const missing = yield* run(workspace, "keys", "revoke", "abcdefghijkl", "--config", "./geoswap.json")
      expect(missing.stderr).toContain("List the keys: geoswap-server --config ./geoswap.json keys list")
      const pasted = yield* run(workspace, "--config", "./geoswap.json", "keys", "list")
      expect([pasted.code, pasted.stderr]).toEqual([0, ""])
    })
  )
})
