import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { statSync } from "node:fs"
import { join } from "node:path"
import { expect, vi } from "vitest"
import { type Workspace, run, serve } from "../../stack/program.js"
import { folder, makeWorkspace } from "./fixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

const date = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const form = /^gsk_([a-z0-9]{12})_[A-Za-z0-9_-]{43}$/

interface Created {
  readonly id: string
  readonly createdAt: string
  readonly revokedAt: string | null
  readonly key: string
}

const idOf = (key: string) => form.exec(key)?.[1] ?? "none"

/** Runs a command with `--json` and parses its output. */
const json = (workspace: Workspace, ...args: ReadonlyArray<string>) =>
  Effect.map(run(workspace, "keys", ...args, "--json"), ({ code, stderr, stdout }) => {
    expect([code, stderr]).toEqual([0, ""])
    return JSON.parse(stdout) as unknown
  })

const callWith = (url: string, key: string) =>
  Effect.promise(async () => {
    const { status } = await fetch(`${url}/swap/chains`, { headers: { "x-api-key": key } })
    return status
  })

describe.concurrent("geoswap-server keys", () => {
  it.live("creates, lists and revokes keys without a server, from any folder, in a private database", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace((file) => ({ ...file, database: "keys.db" }))
      expect(yield* run(workspace, "keys", "list")).toEqual({
        code: 0,
        stdout: "There are no keys yet. Create one: geoswap-server keys create --account <name>\n",
        stderr: ""
      })

      const elsewhere = { folder: yield* folder, environment: {} }
      const file = join(workspace.folder, "geoswap.json")
      const args = ["create", "--account", "Ada", "--label", "her laptop", "--config", file]
      const created = yield* run(elsewhere, "keys", ...args)
      const key = created.stdout.trimEnd()
      expect([created.code, created.stderr]).toEqual([0, expect.stringContaining('This key belongs to account "Ada".')])
      // `KEY=$(geoswap-server keys create …)` contains only the key.
      expect(key).toMatch(form)
      expect(statSync(join(workspace.folder, "keys.db")).mode & 0o777).toBe(0o600)

      const revoked = yield* run(workspace, "keys", "revoke", idOf(key))
      expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringContaining(`Key ${idOf(key)} has been revoked.`)])

      const listed = yield* run(workspace, "keys", "list")
      const [head = "", row = ""] = listed.stdout.split("\n")
      expect(head.split(/ {2,}/)).toEqual(["id", "account", "created", "state", "label"])
      expect(row.split(/ {2,}/)).toEqual([
        idOf(key),
        "Ada",
        expect.stringMatching(date),
        expect.stringMatching(/^revoked 20/),
        "her laptop"
      ])
      expect(head.indexOf("label")).toBe(row.indexOf("her laptop"))
      expect(listed.stdout).not.toContain(key.slice(-43))
    })
  )

  it.live("prints JSON, and refuses to revoke a key twice", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const { key, ...view } = (yield* json(workspace, "create", "--account", "Ada")) as Created
      expect(key).toMatch(form)
      expect(view).toEqual({ id: idOf(key), account: "Ada", label: "", createdAt: view.createdAt, revokedAt: null })
      expect(view.createdAt).toMatch(date)
      expect(yield* json(workspace, "list")).toEqual({ keys: [view] })
      // People have the whole key, not its id.
      expect(yield* json(workspace, "revoke", key)).toEqual({ id: view.id, revoked: true })
      const { keys } = (yield* json(workspace, "list")) as { readonly keys: ReadonlyArray<Created> }
      const [revoked, ...others] = keys
      expect([{ ...revoked, revokedAt: null }, ...others]).toEqual([view])
      expect(revoked?.revokedAt).toMatch(date)
      expect(yield* run(workspace, "keys", "revoke", key)).toEqual({
        code: 1,
        stdout: "",
        stderr: `There is no active key ${view.id}. List the keys: geoswap-server keys list\n`
      })
    })
  )

  it.live("refuses an account name that is unreadable in a list", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run(yield* makeWorkspace(), "keys", "create", "--account", " Ada")
      expect([code, stdout]).toEqual([64, ""])
      expect(stderr).toBe(
        "The account name must be 1 to 64 visible characters long, with no leading or trailing spaces.\n"
      )
    })
  )

  it.live("creates a new sealing key each time without a configuration", () =>
    Effect.gen(function* () {
      const nowhere = { folder: yield* folder, environment: {} }
      const first = yield* run(nowhere, "keys", "seal")
      const { key } = (yield* json(nowhere, "seal")) as Created
      const form = /^k[0-9a-f]{8}:[\w-]{43}$/
      expect([first.code, first.stdout.trimEnd(), first.stderr]).toEqual([0, expect.stringMatching(form), ""])
      expect(key).toMatch(form)
      expect(key).not.toBe(first.stdout.trimEnd())

      const workspace = yield* makeWorkspace()
      const environment = { ...workspace.environment, GEOSWAP_SEAL_KEYS: `${first.stdout.trimEnd()},${key}` }
      expect((yield* run({ ...workspace, environment }, "check", "--offline")).code).toBe(0)
    })
  )

  it.live("makes a running server accept a new key at once and refuse a revoked key within ten seconds", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const { url } = yield* serve(workspace, "--port", "0")
      const { key } = (yield* json(workspace, "create", "--account", "Ada")) as Created
      const other = (yield* json(workspace, "create", "--account", "Ada")) as Created
      expect(yield* callWith(url, key)).toBe(200)
      expect(yield* callWith(url, other.key)).toBe(200)
      expect(yield* callWith(url, `${key.slice(0, -4)}AAAA`)).toBe(401)

      yield* json(workspace, "revoke", idOf(key))
      const since = performance.now()
      for (;;) {
        // A request ten seconds later is refused, however long the response takes.
        const asked = performance.now() - since
        if ((yield* callWith(url, key)) === 401) break
        expect(asked).toBeLessThan(10_000)
        yield* Effect.sleep(100)
      }
      expect(yield* callWith(url, key)).toBe(401)
      expect(yield* callWith(url, other.key)).toBe(200)
    })
  )
})
