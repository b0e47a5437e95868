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
import { FileStore } from "../../src/node.js"
import { fileStore } from "../../src/node/promise.js"
import { findFlow, forgetFlow } from "../../src/programs/flows.js"
import { accepted, budget, flow, freshFolder, modeOf, put, signature, wallet } from "./fixture.js"
import * as Processes from "./processes.js"

const { make } = FileStore

/** Finds or forgets a flow of a store, as the swap programs do. */
const find = (store: Store.Store, id: string) => Effect.provideService(findFlow(id), Store.Store, store)
const forget = (store: Store.Store, id: string) => Effect.provideService(forgetFlow(id), Store.Store, store)

/** The ids of the flows that another process works on. */
const busyIn = ({ openFlows }: Pick<Store.Store, "openFlows">) =>
  Effect.map(openFlows(wallet), (flows) => flows.filter(({ busy }) => busy).map(({ flow: { id } }) => id))

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
      const store = make(path)
      expect(yield* store.flows).toEqual([])
      expect(existsSync(path)).toBe(false)
      yield* put(store, flow("2-2", 2))
      yield* put(store, flow("1-1", 1))
      yield* put(store, accepted("1-1", "s1"))
      const again = make(path)
      expect(yield* find(again, "1-1")).toEqual(accepted("1-1", "s1"))
      expect((yield* again.flows).map(({ id }) => id)).toEqual(["1-1", "2-2"])
      expect([modeOf(path), modeOf(dirname(path))]).toEqual(["700", "700"])
      for (const name of readdirSync(path)) expect([name, modeOf(join(path, name))]).toEqual([name, "600"])
      yield* forget(store, "1-1")
      yield* forget(store, "1-1")
      expect((yield* again.flows).map(({ id }) => id)).toEqual(["2-2"])
      expect(readdirSync(path)).toEqual([".lock", "2-2.lock", expect.stringMatching(/^wallet-.*json$/)])
    })
  )

  it.effect("works with promises, and rejects with the same errors", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const store = Store.fromPromise(fileStore(path))
      yield* put(store, flow("1-1"))
      expect(yield* make(path).flows).toEqual([flow("1-1")])
      expect(yield* busyIn(make(path))).toEqual(["1-1"])
      expect(yield* Effect.flip(put(store, flow("../1")))).toBeInstanceOf(SwapError.StoreError)
      yield* forget(store, "1-1")
      expect(yield* store.flows).toEqual([])
    })
  )

  it.effect("gives a flow to one process at a time, until it is removed", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const first = make(path)
      const second = make(path)
      yield* put(first, flow("1-1"))
      expect(yield* busyIn(second)).toEqual(["1-1"])
      expect(yield* busyIn(first)).toEqual([])
      expect(yield* second.claim(flow("1-1"))).toBe(false)
      expect(yield* first.claim(flow("1-1"))).toBe(true)
      // It can take the signatures, and the flow still belongs to the first process.
      yield* put(second, { ...flow("1-1"), state: "resumed" })
      expect(yield* busyIn(second)).toEqual(["1-1"])
      yield* forget(first, "1-1")
      expect(yield* second.claim(flow("1-1"))).toBe(false)
      yield* put(second, flow("1-1"))
      yield* second.release("1-1")
      expect(yield* first.claim(flow("1-1"))).toBe(true)
    })
  )

  it.effect("releases the flow of a process only when it is killed, even after a garbage collection", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const other = yield* Processes.start(["hold", path, "1-1"])
      yield* other.printed((lines) => lines.includes("held"))
      const store = make(path)
      expect(yield* busyIn(store)).toEqual(["1-1"])
      expect(yield* store.claim(flow("1-1"))).toBe(false)
      yield* other.signal("SIGKILL")
      yield* other.ended
      expect(yield* busyIn(store)).toEqual([])
      expect(yield* store.claim(flow("1-1"))).toBe(true)
      yield* put(store, accepted("1-1", "s1"))
    })
  )

  it.effect("removes the unsigned flow of a process as soon as it is killed, with what was reserved for it", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const store = make(path)
      const stored = store.update(wallet, (document) => [document, document.flows.map(({ id, state }) => [id, state])])
      const left = Store.left(store, wallet, budget, { window: "total", amount: 300n })
      for (const id of ["1-1", "1-1.1", "2-2"]) yield* Store.reserve(store, wallet, { ...budget, id, amount: 100n })
      const other = yield* Processes.start(["hold", path, "1-1", "signing"])
      yield* other.printed((lines) => lines.includes("held"))
      expect(yield* stored).toEqual([["1-1", "signing"]])
      expect(yield* store.flows).toEqual([])
      expect(yield* left).toBe(0n)
      yield* other.signal("SIGKILL")
      yield* other.ended
      expect(yield* stored).toEqual([])
      expect(yield* left).toBe(200n)
      expect(readdirSync(path)).toEqual([".lock", expect.stringMatching(/^wallet-.*json$/)])
    })
  )

  it.effect("removes a flow of another process, which can remove it again", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const first = make(path)
      const second = make(path)
      yield* put(first, flow("1-1"))
      yield* forget(second, "1-1")
      expect(yield* first.flows).toEqual([])
      expect(yield* Effect.flip(put(second, flow("1-1")))).toMatchObject({ _tag: "StoreError" })
      yield* forget(first, "1-1")
      yield* put(second, flow("2-2"))
      yield* forget(second, "2-2")
      expect(readdirSync(path)).toEqual([".lock"])
    })
  )

  it.effect("reports damaged files, keeps them, and reads the others", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const store = make(path)
      yield* put(store, flow("1-1"))
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
      const contents = yield* store.contents
      expect(contents.flows.map(({ id }) => id)).toEqual(["1-1"])
      const paths = Object.keys(damaged).map((name) => join(path, name))
      expect(contents.damaged.map(({ place }) => place).toSorted()).toEqual(paths)
      expect((yield* Effect.flip(find(store, "9-9"))).message).toContain("is damaged. It has been left in place")
      expect((yield* Effect.flip(store.flows)).message).toContain("is damaged")
      const reported: Array<string> = []
      const lenient = make(path, { onDamaged: (file) => void reported.push(file) })
      expect((yield* lenient.flows).map(({ id }) => id)).toEqual(["1-1"])
      expect(reported.toSorted()).toEqual(paths)
      expect(filesOf(path)).toMatchObject(damaged)
    })
  )

  it.effect("writes its format version, and does not touch newer or unknown formats", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const store = make(path)
      yield* put(store, flow("1-1"))
      const file = walletFile(path)
      const written = JSON.parse(readFileSync(file, "utf8")) as { readonly version?: number }
      expect(written.version).toBe(1)
      const { version: _, ...plain } = written
      writeFileSync(file, JSON.stringify({ ...plain, version: 2 }))
      expect((yield* Effect.flip(find(store, "1-1"))).message).toContain(
        "has format version 2, which requires a newer version"
      )
      expect((yield* store.contents).damaged).toMatchObject([{ place: file }])
      for (const version of [undefined, "1", 0, 1.5, null]) {
        writeFileSync(file, JSON.stringify({ ...plain, version }))
        expect((yield* Effect.flip(find(store, "1-1"))).message).toContain("is damaged")
      }
    })
  )

  it.effect("refuses a folder or a file that others can read, with the command that fixes it", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      mkdirSync(path, { recursive: true })
      chmodSync(path, 0o755)
      const store = make(path)
      for (const attempt of [put(store, flow("1-1")), Effect.asVoid(store.contents), Effect.asVoid(store.flows)]) {
        expect((yield* Effect.flip(attempt)).message).toContain(`its mode is 755. Run chmod 700 ${path}`)
      }
      expect(readdirSync(path)).toEqual([])
      chmodSync(path, 0o700)
      yield* put(store, flow("1-1"))
      chmodSync(walletFile(path), 0o644)
      expect((yield* Effect.flip(find(store, "1-1"))).message).toContain(
        `its mode is 644. Run chmod 600 ${walletFile(path)}`
      )
    })
  )

  it.effect("does not use an id as a path", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const store = make(path)
      yield* put(store, flow("kept"))
      for (const id of ["../out", "a/b", "a\\b", "a\0b", ".hidden", ".", "", "x".repeat(101)]) {
        expect(yield* find(store, id)).toBeUndefined()
        expect((yield* Effect.flip(put(store, flow(id)))).message).toContain("is not a valid file name")
        expect(yield* store.claim(flow(id))).toBe(false)
        yield* forget(store, id)
      }
      expect(yield* store.flows).toEqual([flow("kept")])
      expect(readdirSync(dirname(path))).toEqual(["data"])
    })
  )

  it.effect("does not follow symbolic links out of its folder to read, write or lock", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const outside = `${path}-outside`
      const store = make(path)
      yield* put(store, flow("1-1"))
      const file = walletFile(path)
      const text = readFileSync(file, "utf8")
      mkdirSync(outside, { mode: 0o700 })
      const target = join(outside, "wallet.json")
      writeFileSync(target, text, { mode: 0o600 })
      rmSync(file)
      symlinkSync(target, file)
      expect((yield* Effect.flip(find(store, "1-1"))).message).toContain(`${file} is damaged`)
      expect((yield* Effect.flip(put(store, flow("2-2")))).message).toContain(`${file} is damaged`)
      rmSync(file)

      // The paths of an incomplete write and of a lock.
      symlinkSync(target, `${file}.new`)
      symlinkSync(join(outside, "planted"), join(path, "3-3.lock"))
      yield* put(store, flow("2-2"))
      expect((yield* Effect.flip(put(store, flow("3-3")))).message).toContain("3-3.lock is not a regular file")
      expect(yield* find(store, "2-2")).toEqual(flow("2-2"))
      expect(filesOf(outside)).toEqual({ "wallet.json": text })
    })
  )

  it.effect("removes a signature from the disk when the flow is replaced", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const store = make(path)
      yield* put(store, flow("1-1"))
      // Left behind by a process that was killed during a write.
      writeFileSync(join(path, "9-9.json.new"), signature, { mode: 0o600 })
      const replaced: Store.Flow = {
        ...flow("1-1"),
        submission: { family: "evm", geoOpToken: "go1", signature: "0x01" }
      }
      yield* put(store, replaced)
      expect(Object.values(filesOf(path)).join()).not.toContain(signature)
    })
  )

  it.effect("times out on a lock of a stopped process", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      yield* put(make(path), flow("1-1"))
      const { tryLock } = yield* Effect.promise(() => import("../../src/node/internal/lock.js"))
      const lock = tryLock(join(path, ".lock"))
      const error = yield* Effect.flip(put(make(path, { lockTimeout: 20 }), flow("2-2")))
      expect([error._tag, error.message]).toEqual(["StoreError", expect.stringContaining("has held the lock")])
      expect(yield* make(path).flows).toHaveLength(1)
      lock?.release()
      yield* put(make(path), flow("2-2"))
    })
  )
})

describe("a write of a store in files", { timeout: 600_000 }, () => {
  const before = accepted("1-1", "before")
  const after = accepted("1-1", "after")

  /** A later process works despite leftover files. */
  const goesOn = (path: string) =>
    Effect.gen(function* () {
      const later = make(path)
      yield* put(later, flow("3-3"))
      yield* put(later, accepted("1-1", "later"))
      expect((yield* later.flows).map(({ id }) => id)).toEqual(["1-1", "3-3"])
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
      const store = make(path)
      yield* put(store, before)
      const file = walletFile(path)
      const text = readFileSync(file, "utf8")
      yield* forget(store, "1-1")
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
          const found = yield* make(path).flows
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
      (path) => Effect.map(make(path).flows, (found) => expect([[], [after]]).toContainEqual(found))
    )
  )

  it.effect("leaves the flow or nothing if the process is killed at any step of its removal", () =>
    everyStep("KILL", ["remove", "1-1"], seeded, (path) =>
      Effect.map(make(path).flows, (found) => expect([[before], []]).toContainEqual(found))
    )
  )

  it.effect("fails with a StoreError and leaves the old or the new flow if any step finds the disk full", () =>
    everyStep("ENOSPC", ["put", "1-1", "after"], seeded, (path, line = "", ended) =>
      Effect.gen(function* () {
        const found = yield* make(path).flows
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
      expect(yield* make(path).flows).toEqual([before])
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
      expect(yield* make(path).flows).toEqual([before])
      chmodSync(path, 0o700)
    })
  )
})
