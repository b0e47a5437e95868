import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import type { Journal } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { make } from "../src/FileJournal.js"

const flow = (id: string, createdAt = 1): Journal.Flow => ({
  id,
  createdAt,
  request: {
    originChain: 8453,
    destinationChain: 42161,
    inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    outputToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
    amount: 2n ** 255n,
    walletAddress: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
  },
  output: 7n,
  submission: { kind: "evm", geoOpToken: "go1.k1.abc", signature: "0x01" }
})

const folder = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "geoswap-journal-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  ),
  (path) => join(path, "state", "journal")
)

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe("the journal in files", () => {
  it.effect("gives back what was put, after a restart as well, for this user alone", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const journal = make(path)
      expect(yield* journal.list).toEqual([])
      yield* journal.put(flow("2-2", 2))
      yield* journal.put(flow("1-1", 1))
      yield* journal.put({ ...flow("1-1", 1), swapId: "s1" })
      const again = make(path)
      expect(yield* again.get("1-1")).toEqual({ ...flow("1-1", 1), swapId: "s1" })
      expect((yield* again.list).map(({ id }) => id)).toEqual(["1-1", "2-2"])
      expect(modeOf(path)).toBe("700")
      for (const name of readdirSync(path)) expect([name, modeOf(join(path, name))]).toEqual([name, "600"])
      expect(yield* journal.own).toHaveLength(2)
      yield* journal.remove("1-1")
      yield* journal.remove("1-1")
      expect((yield* again.list).map(({ id }) => id)).toEqual(["2-2"])
      expect(yield* journal.own).toHaveLength(1)
      // Nothing of a flow that has ended is left: not its lock, and nothing half written.
      expect(readdirSync(path).filter((name) => !name.startsWith("2-2"))).toEqual([])
    })
  )

  it.effect("gives a flow to one process at a time, from before it can be seen until it is removed", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const first = make(path)
      const second = make(path)
      yield* first.put(flow("1-1"))
      expect((yield* second.contents).unfinished).toMatchObject([{ flow: { id: "1-1" }, busy: true }])
      expect((yield* first.contents).unfinished).toMatchObject([{ busy: false }])
      expect(yield* second.claim("1-1")).toBe(false)
      expect(yield* first.claim("1-1")).toBe(true)
      expect(yield* Effect.flip(second.put(flow("1-1")))).toMatchObject({ _tag: "JournalError" })
      yield* first.remove("1-1")
      expect(yield* second.claim("1-1")).toBe(true)
    })
  )

  it.effect("tells of a damaged file, keeps it, and shows the others", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const journal = make(path)
      yield* journal.put(flow("1-1"))
      const whole = readFileSync(join(path, "1-1.json"), "utf8")
      const damaged = {
        "cut.json": whole.slice(0, -9),
        "empty.json": "",
        // A copy under another name would be submitted, and then not be found.
        "other.json": whole
      }
      for (const [name, text] of Object.entries(damaged)) writeFileSync(join(path, name), text, { mode: 0o600 })
      const contents = yield* journal.contents
      expect(contents.unfinished.map(({ flow: { id } }) => id)).toEqual(["1-1"])
      expect(contents.damaged).toEqual(Object.keys(damaged).map((name) => join(path, name)))
      const error = yield* Effect.flip(journal.get("cut"))
      expect(error.message).toContain(`${join(path, "cut.json")} is damaged. It is kept`)
      expect(readFileSync(join(path, "cut.json"), "utf8")).toBe(damaged["cut.json"])
    })
  )

  it.effect("is refused where others can read it, with the command that mends it", () =>
    Effect.gen(function* () {
      const path = yield* folder
      mkdirSync(path, { recursive: true })
      chmodSync(path, 0o755)
      const journal = make(path)
      for (const attempt of [journal.put(flow("1-1")), Effect.asVoid(journal.contents)]) {
        expect((yield* Effect.flip(attempt)).message).toContain(`its mode is 755. Run chmod 700 ${path}`)
      }
      expect(readdirSync(path)).toEqual([])
      chmodSync(path, 0o700)
      yield* journal.put(flow("1-1"))
      chmodSync(join(path, "1-1.json"), 0o644)
      expect((yield* Effect.flip(journal.get("1-1"))).message).toContain(
        `its mode is 644. Run chmod 600 ${join(path, "1-1.json")}`
      )
    })
  )

  it.effect("takes no id for a path", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const journal = make(path)
      for (const id of ["../out", "a/b", ".hidden", "", "x".repeat(101)]) {
        expect(yield* journal.get(id)).toBeUndefined()
        expect((yield* Effect.flip(journal.put(flow(id)))).message).toContain("cannot be the name of a file")
        yield* journal.remove(id)
      }
      expect(yield* journal.list).toEqual([])
    })
  )
})
