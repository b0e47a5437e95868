import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fileURLToPath } from "node:url"
import { describe, expect, vi } from "vitest"
import { freePort } from "../../stack/freePort.js"
import { cluster, programs } from "../../stack/postgres/cluster.js"
import { wire } from "../../stack/postgres/proxy.js"
import { run, start } from "../../stack/program.js"
import { newSecrets, makeWorkspace } from "./fixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

const workspaceOn = (DATABASE_URL: string) => makeWorkspace(undefined, { ...newSecrets(), DATABASE_URL })

describe("geoswap-server check on a PostgreSQL", () => {
  it.live.skipIf(programs === undefined)(
    "prints the database without credentials, tests notifications and compares clocks",
    () =>
      Effect.gen(function* () {
        const { newDatabase, port, query } = yield* cluster
        const url = (yield* Effect.promise(newDatabase)).replace("geoswap@", "geoswap:the-password@")
        const workspace = yield* workspaceOn(url)
        const well = yield* run(workspace, "check", "--offline")
        expect([well.code, well.stderr]).toEqual([0, ""])
        expect(well.stdout).toMatch(
          new RegExp(
            `\\n  storage: PostgreSQL at 127\\.0\\.0\\.1:${port}, database test_\\d+, for any number of servers; LISTEN and NOTIFY work, clock difference \\d{1,3} ms\\n`
          )
        )
        expect(well.stdout).not.toMatch(/geoswap[:@]|the-password/)
        // The check creates nothing.
        expect(yield* Effect.promise(() => query(url, "SELECT * FROM pg_tables WHERE schemaname = 'public'"))).toEqual(
          []
        )

        const preload = ["--import", fileURLToPath(new URL("./clockAhead.ts", import.meta.url))]
        const apart = yield* Effect.flatMap(start(workspace, ["check", "--offline"], preload), ({ ended }) => ended)
        expect(apart.code).toBe(0)
        expect(apart.stderr).toMatch(
          /^Warning: The clocks of the PostgreSQL server and this machine differ by (59|60)\.\d s\. Synchronize both with the same time server\.\n$/
        )
      })
  )

  it.live.skipIf(programs === undefined)("detects a pooler that accepts LISTEN and delivers nothing", () =>
    Effect.gen(function* () {
      const { newDatabase, port } = yield* cluster
      const { deafen, through } = yield* wire(port)
      deafen(true)
      const workspace = yield* workspaceOn(through(yield* Effect.promise(newDatabase)))
      const { code, stderr, stdout } = yield* run(workspace, "check", "--offline", "--json")
      expect(code).toBe(1)
      expect(stderr).toContain(
        "  - The PostgreSQL server at DATABASE_URL accepts LISTEN but does not deliver notifications"
      )
      expect(JSON.parse(stdout)).toMatchObject({
        well: false,
        storage: { kind: "postgres", notifies: false },
        problems: [expect.stringContaining("does not deliver notifications")]
      })
    })
  )

  it.live("reports an unreachable database or an invalid URL without the password", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const gone = yield* run(
        yield* workspaceOn(`postgres://me:the-password@127.0.0.1:${port}/swaps`),
        "check",
        "--offline"
      )
      expect([gone.code, gone.stdout]).toEqual([1, ""])
      expect(gone.stderr).toContain(
        "  - The PostgreSQL server at DATABASE_URL cannot be reached (ECONNREFUSED). Check the host"
      )
      const none = yield* run(yield* workspaceOn("the-password@somewhere"), "swaps", "list")
      expect([none.code, none.stdout]).toEqual([1, ""])
      expect(none.stderr).toContain("DATABASE_URL is invalid")
      expect(gone.stderr + none.stderr).not.toContain("the-password")
    })
  )
})
