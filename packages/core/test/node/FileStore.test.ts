import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Store, SwapError } from "../../src/index.js"
import { FileStore, fileStore } from "../../src/node.js"
import * as Journal from "../views/Journal.js"
import { flow, freshFolder, modeOf, signature } from "./fixture.js"
import * as Processes from "./processes.js"

/** A store, and the programs' view of its flows. */
const make = (path: string, options?: FileStore.Options) => {
  const store = FileStore.make(path, options)
  return { ...store, ...Journal.make(store) }
}

/** The ids of the flows that another process works on. */
const busyIn = ({ openFlows }: Pick<Store.Store, "openFlows">) =>
  Effect.map(openFlows(flow("1-1").request.walletAddress), (flows) =>
    flows.filter(({ busy }) => busy).map(({ flow: { id } }) => id)
  )

/** The file of the only wallet. */
const walletFile = (path: string): string =>
  join(path, readdirSync(path).find((name) => /^wallet-.*\.json$/.test(name)) ?? "none")

/** Every file of a folder with its contents. */
const filesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]))

describe("a store in files", () => {
  it.effect("returns flows after a restart, readable only by this user", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const journal = make(path)
      expect(yield* journal.list).toEqual([])
      expect(existsSync(path)).toBe(false)
      yield* journal.put(flow("2-2", 2))
      yield* journal.put(flow("1-1", 1))
      yield* journal.put({ ...flow("1-1", 1), swapId: "s1" })
      const again = make(path)
      expect(yield* again.get("1-1")).toEqual({ ...flow("1-1", 1), swapId: "s1" })
      expect((yield* again.list).map(({ id }) => id)).toEqual(["1-1", "2-2"])
      expect([modeOf(path), modeOf(dirname(path))]).toEqual(["700", "700"])
      for (const name of readdirSync(path)) expect([name, modeOf(join(path, name))]).toEqual([name, "600"])
      yield* journal.remove("1-1")
      yield* journal.remove("1-1")
      expect((yield* again.list).map(({ id }) => id)).toEqual(["2-2"])
      expect(readdirSync(path)).toEqual([".lock", "2-2.lock", expect.stringMatching(/^wallet-.*json$/)])
    })
  )

  it.effect("works with promises, and rejects with the same errors", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const store = Store.fromPromise(fileStore(path))
      const journal = Journal.make(store)
      yield* journal.put(flow("1-1"))
      expect(yield* make(path).list).toEqual([flow("1-1")])
      expect(yield* busyIn(make(path))).toEqual(["1-1"])
      expect(yield* Effect.flip(journal.put(flow("../1")))).toBeInstanceOf(SwapError.StoreError)
      yield* journal.remove("1-1")
      expect(yield* journal.list).toEqual([])
    })
  )

  it.effect("gives a flow to one process at a time, until it is removed", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const first = make(path)
      const second = make(path)
      yield* first.put(flow("1-1"))
      expect(yield* busyIn(second)).toEqual(["1-1"])
      expect(yield* busyIn(first)).toEqual([])
      expect(yield* second.claim(flow("1-1"))).toBe(false)
      expect(yield* first.claim(flow("1-1"))).toBe(true)
      expect(yield* Effect.flip(second.put(flow("1-1")))).toMatchObject({ _tag: "StoreError" })
      yield* first.remove("1-1")
      expect(yield* second.claim(flow("1-1"))).toBe(false)
      yield* second.put(flow("1-1"))
      yield* second.release("1-1")
      expect(yield* first.claim(flow("1-1"))).toBe(true)
    })
  )

  it.effect("releases the flow of a process only when it is killed, even after a garbage collection", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const other = yield* Processes.start(["hold", path, "1-1"])
      yield* other.printed((lines) => lines.includes("held"))
      const journal = make(path)
      expect(yield* busyIn(journal)).toEqual(["1-1"])
      expect(yield* journal.claim(flow("1-1"))).toBe(false)
      yield* other.signal("SIGKILL")
      yield* other.ended
      expect(yield* busyIn(journal)).toEqual([])
      expect(yield* journal.claim(flow("1-1"))).toBe(true)
      yield* journal.put({ ...flow("1-1"), swapId: "s1" })
    })
  )

  it.effect("removes a flow of another process, which can remove it again", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const first = make(path)
      const second = make(path)
      yield* first.put(flow("1-1"))
      yield* second.remove("1-1")
      expect(yield* first.list).toEqual([])
      expect(yield* Effect.flip(second.put(flow("1-1")))).toMatchObject({ _tag: "StoreError" })
      yield* first.remove("1-1")
      yield* second.put(flow("2-2"))
      yield* second.remove("2-2")
      expect(readdirSync(path)).toEqual([".lock"])
    })
  )

  it.effect("reports damaged files, keeps them, and reads the others", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const journal = make(path)
      yield* journal.put(flow("1-1"))
      const whole = readFileSync(walletFile(path), "utf8")
      const damaged: Readonly<Record<string, string>> = {
        "wallet-cut.json": whole.slice(0, -9),
        "wallet-empty.json": "",
        "wallet-list.json": "[]",
        "wallet-nothing.json": "null",
        "wallet-other.json": whole,
        "wallet-renamed.json": whole.replace(/"name":"[^"]*"/, '"name":"wallet-renamed"')
      }
      for (const [name, text] of Object.entries(damaged)) writeFileSync(join(path, name), text, { mode: 0o600 })
      const contents = yield* journal.contents
      expect(contents.flows.map(({ id }) => id)).toEqual(["1-1"])
      const paths = Object.keys(damaged).map((name) => join(path, name))
      expect(contents.damaged.map(({ place }) => place).toSorted()).toEqual(paths)
      expect((yield* Effect.flip(journal.get("9-9"))).message).toContain("is damaged. It has been left in place")
      expect((yield* Effect.flip(journal.list)).message).toContain("is damaged")
      const reported: Array<string> = []
      const lenient = make(path, { onDamaged: (file) => void reported.push(file) })
      expect((yield* lenient.list).map(({ id }) => id)).toEqual(["1-1"])
      expect(reported.toSorted()).toEqual(paths)
      expect(filesOf(path)).toMatchObject(damaged)
    })
  )

  it.effect("writes its format version, and does not touch newer or unknown formats", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const journal = make(path)
      yield* journal.put(flow("1-1"))
      const file = walletFile(path)
      const written = JSON.parse(readFileSync(file, "utf8")) as { readonly version?: number }
      expect(written.version).toBe(1)
      const { version: _, ...plain } = written
      writeFileSync(file, JSON.stringify({ ...plain, version: 2 }))
      expect((yield* Effect.flip(journal.get("1-1"))).message).toContain(
        "has format version 2, which requires a newer version"
      )
      expect((yield* journal.contents).damaged).toMatchObject([{ place: file }])
      for (const version of [undefined, "1", 0, 1.5, null]) {
        writeFileSync(file, JSON.stringify({ ...plain, version }))
        expect((yield* Effect.flip(journal.get("1-1"))).message).toContain("is damaged")
      }
    })
  )

  it.effect("refuses a folder or a file that others can read, with the command that fixes it", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      mkdirSync(path, { recursive: true })
      chmodSync(path, 0o755)
      const journal = make(path)
      for (const attempt of [journal.put(flow("1-1")), Effect.asVoid(journal.contents), Effect.asVoid(journal.list)]) {
        expect((yield* Effect.flip(attempt)).message).toContain(`its mode is 755. Run chmod 700 ${path}`)
      }
      expect(readdirSync(path)).toEqual([])
      chmodSync(path, 0o700)
      yield* journal.put(flow("1-1"))
      chmodSync(walletFile(path), 0o644)
      expect((yield* Effect.flip(journal.get("1-1"))).message).toContain(
        `its mode is 644. Run chmod 600 ${walletFile(path)}`
      )
    })
  )

  it.effect("does not use an id as a path", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const journal = make(path)
      yield* journal.put(flow("kept"))
      for (const id of ["../out", "a/b", "a\\b", "a\0b", ".hidden", ".", "", "x".repeat(101)]) {
        expect(yield* journal.get(id)).toBeUndefined()
        expect((yield* Effect.flip(journal.put(flow(id)))).message).toContain("is not a valid file name")
        expect(yield* journal.claim(flow(id))).toBe(false)
        yield* journal.remove(id)
      }
      expect(yield* journal.list).toEqual([flow("kept")])
      expect(readdirSync(dirname(path))).toEqual(["data"])
    })
  )

  it.effect("does not follow symbolic links out of its folder to read, write or lock", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const outside = `${path}-outside`
      const journal = make(path)
      yield* journal.put(flow("1-1"))
      const file = walletFile(path)
      const text = readFileSync(file, "utf8")
      mkdirSync(outside, { mode: 0o700 })
      const target = join(outside, "wallet.json")
      writeFileSync(target, text, { mode: 0o600 })
      rmSync(file)
      symlinkSync(target, file)
      expect((yield* Effect.flip(journal.get("1-1"))).message).toContain(`${file} is damaged`)
      expect((yield* Effect.flip(journal.put(flow("2-2")))).message).toContain(`${file} is damaged`)
      rmSync(file)

      // The paths of an incomplete write and of a lock.
      symlinkSync(target, `${file}.new`)
      symlinkSync(join(outside, "planted"), join(path, "3-3.lock"))
      yield* journal.put(flow("2-2"))
      expect((yield* Effect.flip(journal.put(flow("3-3")))).message).toContain("3-3.lock is not a regular file")
      expect(yield* journal.get("2-2")).toEqual(flow("2-2"))
      expect(filesOf(outside)).toEqual({ "wallet.json": text })
    })
  )

  it.effect("removes a signature from the disk when the flow is replaced", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const journal = make(path)
      yield* journal.put(flow("1-1"))
      // Left behind by a process that was killed during a write.
      writeFileSync(join(path, "9-9.json.new"), signature, { mode: 0o600 })
      const replaced: Store.Flow = {
        ...flow("1-1"),
        submission: { kind: "evm", geoOpToken: "go1", signature: "0x01" }
      }
      yield* journal.put(replaced)
      expect(Object.values(filesOf(path)).join()).not.toContain(signature)
    })
  )

  it.effect("times out on a lock of a stopped process", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      yield* make(path).put(flow("1-1"))
      const { tryLock } = yield* Effect.promise(() => import("../../src/node/internal/lock.js"))
      const lock = tryLock(join(path, ".lock"))
      const error = yield* Effect.flip(make(path, { lockTimeout: 20 }).put(flow("2-2")))
      expect([error._tag, error.message]).toEqual(["StoreError", expect.stringContaining("has held the lock")])
      expect(yield* make(path).list).toHaveLength(1)
      lock?.release()
      yield* make(path).put(flow("2-2"))
    })
  )
})

describe("a write of a store in files", { timeout: 600_000 }, () => {
  const before: Store.Flow = { ...flow("1-1"), swapId: "before" }
  const after: Store.Flow = { ...flow("1-1"), swapId: "after" }

  /** A later process works despite leftover files. */
  const goesOn = (path: string) =>
    Effect.gen(function* () {
      const later = make(path)
      yield* later.put(flow("3-3"))
      yield* later.put({ ...flow("1-1"), swapId: "later" })
      expect((yield* later.list).map(({ id }) => id)).toEqual(["1-1", "3-3"])
      expect(readdirSync(path).filter((name) => name.endsWith(".new"))).toEqual([])
    })
  const everyStep = (
    fault: "KILL" | "ENOSPC",
    task: ReadonlyArray<string>,
    prepare: (path: string) => Effect.Effect<unknown, unknown>,
    check: (path: string, line: string | undefined, ended: Processes.Ended) => Effect.Effect<void, unknown>
  ) =>
    Processes.everyStep(fault, task, prepare, (path, line, ended) =>
      Effect.andThen(check(path, line, ended), goesOn(path))
    )

  /** A folder with a flow that no process has claimed. */
  const seeded = (path: string) =>
    Effect.gen(function* () {
      const journal = make(path)
      yield* journal.put(before)
      const file = walletFile(path)
      const text = readFileSync(file, "utf8")
      yield* journal.remove("1-1")
      writeFileSync(file, text, { mode: 0o600 })
    })

  it.effect("syncs the file before it is renamed and the folder after, before it returns", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      yield* seeded(path)
      const { lines } = yield* Processes.run(["put", path, "1-1", "after"])
      expect(lines).toEqual([
        "done openSync closeSync rmSync openSync writeSync fsyncSync closeSync renameSync openSync fsyncSync closeSync"
      ])
      const removed = yield* Processes.run(["remove", path, "1-1"])
      expect(removed.lines).toEqual([expect.stringMatching(/^done .*rmSync openSync fsyncSync closeSync$/)])
    })
  )

  it.effect("leaves the old or the new flow if its process is killed at any step", () =>
    Effect.gen(function* () {
      const left: Array<string | undefined> = []
      const steps = yield* everyStep("KILL", ["put", "1-1", "after"], seeded, (path) =>
        Effect.gen(function* () {
          const found = yield* make(path).list
          left.push(found[0]?.swapId)
          expect([[before], [after]]).toContainEqual(found)
        })
      )
      expect(steps).toBeGreaterThan(6)
      expect(new Set(left)).toEqual(new Set(["before", "after"]))
      // Once the new flow is visible, no later step reverts it.
      expect(left.toSorted((one, other) => Number(one === "after") - Number(other === "after"))).toEqual(left)
    })
  )

  it.effect("leaves no flow or a complete one if the process is killed at any step of the first write", () =>
    everyStep(
      "KILL",
      ["put", "1-1", "after"],
      () => Effect.void,
      (path) => Effect.map(make(path).list, (found) => expect([[], [after]]).toContainEqual(found))
    )
  )

  it.effect("leaves the flow or nothing if the process is killed at any step of its removal", () =>
    everyStep("KILL", ["remove", "1-1"], seeded, (path) =>
      Effect.map(make(path).list, (found) => expect([[before], []]).toContainEqual(found))
    )
  )

  it.effect("fails with a StoreError and leaves the old or the new flow if any step finds the disk full", () =>
    everyStep("ENOSPC", ["put", "1-1", "after"], seeded, (path, line = "", ended) =>
      Effect.gen(function* () {
        const found = yield* make(path).list
        expect([[before], [after]]).toContainEqual(found)
        expect([ended.code, ended.signal, ended.stderr]).toEqual([0, null, ""])
        if (line.startsWith("done")) return expect(found).toEqual([after])
        expect(line).toMatch(/^StoreError The store in \S+ cannot be used: the disk is full\.$/)
      })
    )
  )

  it.effect("fails with a StoreError if a write is incomplete", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      yield* seeded(path)
      const ended = yield* Processes.run(["put", path, "1-1", "after"], { prelude: "trap '' XFSZ; ulimit -f 0;" })
      expect(ended.lines).toEqual([expect.stringMatching(/^StoreError .*larger than the system allows/)])
      expect(yield* make(path).list).toEqual([before])
    })
  )

  it.effect("fails with a StoreError in a read-only folder, which can still be read", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      yield* seeded(path)
      rmSync(join(path, ".lock"))
      chmodSync(path, 0o500)
      if (process.getuid?.() === 0) {
        for (const owned of [dirname(dirname(path)), dirname(path), path]) chownSync(owned, 65_534, 65_534)
      }
      const ended = yield* Processes.run(["putAsUser", path, "2-2"])
      expect(ended.lines).toEqual([expect.stringMatching(/^StoreError .* cannot be used: /)])
      expect(yield* make(path).list).toEqual([before])
      chmodSync(path, 0o700)
    })
  )
})
