import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Store, SwapError } from "../../src/index.js"
import { FileStore } from "../../src/node.js"
import { fileStore } from "../../src/node/promise.js"
import { budget, freshFolder, keyOf, modeOf, takeKey, wallet } from "./fixture.js"
import * as Processes from "./processes.js"

const key = "../order 17"

const reserve = (store: Store.Store, id: string, amount: bigint) =>
  Store.reserve(store, wallet, { ...budget, id, amount })

const removeKey = (store: Store.Store) => store.updateKey(key, () => [undefined, undefined])

/** The records of a folder, sorted by name. */
const recordsOf = (path: string): ReadonlyArray<{ readonly record: Record<string, unknown> }> =>
  readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(path, name), "utf8")) as { readonly record: Record<string, unknown> })

/** The only record with a prefix. */
const fileOf = (path: string, prefix: string): string => {
  const [name = "", ...others] = readdirSync(path).filter((name) => name.startsWith(prefix) && name.endsWith(".json"))
  expect(others).toEqual([])
  return join(path, name)
}

interface Reserved {
  readonly id: string
  readonly amount: string
}

/** The reservations in the folder. */
const spentIn = (path: string): { readonly total: string; readonly recent: ReadonlyArray<Reserved> } => {
  const { record } = JSON.parse(readFileSync(fileOf(path, "wallet-"), "utf8")) as {
    readonly record: { readonly spent: readonly [never] }
  }
  return record.spent[0]
}

describe("the keys and budgets in a store in files", () => {
  it.effect("keeps keys and budgets across a restart, readable only by this user", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const store = FileStore.make(path)
      expect(existsSync(path)).toBe(false)
      yield* takeKey(store, key, "one")
      yield* reserve(store, "r1", 295n)
      const again = FileStore.make(path)
      expect(yield* takeKey(again, key, "two")).toMatchObject({ flowId: "one", key })
      expect(yield* reserve(again, "r2", 6n)).toEqual({ window: "total", left: 5n })
      expect([modeOf(path), modeOf(dirname(path))]).toEqual(["700", "700"])
      const names = readdirSync(path)
      for (const name of names) expect([name, modeOf(join(path, name))]).toEqual([name, "600"])
      expect(names.map((name) => name.replace(/[0-9a-f]{64}/, "hash"))).toEqual([
        ".lock",
        "key-hash.json",
        "wallet-hash.json"
      ])
      expect(recordsOf(path)).toMatchObject([
        { version: 1, record: { key, flowId: "one" } },
        { version: 1, record: { spent: [{ total: "295" }] } }
      ])
    })
  )

  it.effect("works with promises, and rejects with the same errors", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const store = fileStore(path)
      const count = (text: string | undefined) => {
        const next = Number(text ?? 0) + 1
        return [`${next}`, next] as const
      }
      expect(yield* Effect.promise(() => store.update("count", count))).toBe(1)
      expect(yield* Effect.promise(() => store.update("count", count))).toBe(2)
      expect(yield* Effect.promise(() => store.update("count", () => [undefined, 3]))).toBe(3)
      expect(readdirSync(path)).toEqual([".lock"])
      for (const name of ["../count", "a/b", "", ".lock", "A", "x".repeat(81)]) {
        const refused = yield* Effect.promise(() => store.update(name, count).catch((error: unknown) => error))
        expect(refused).toBeInstanceOf(SwapError.StoreError)
      }
      expect(readdirSync(path)).toEqual([".lock"])
    })
  )

  it.effect("fails with the path of a damaged record, and leaves it unchanged", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const store = FileStore.make(path)
      yield* reserve(store, "r1", 300n)
      const file = fileOf(path, "wallet-")
      const whole = readFileSync(file, "utf8")
      const damaged = [
        "",
        "{}",
        "null",
        whole.slice(0, -5),
        whole.replace('"name":"wallet-', '"name":"wallet-0'),
        whole.replace('"total":"300"', '"total":"less"'),
        JSON.stringify({ ...(JSON.parse(whole) as object), record: null })
      ]
      for (const text of damaged) {
        writeFileSync(file, text)
        const error = yield* Effect.flip(reserve(store, "r2", 1n))
        expect(error._tag).toBe("StoreError")
        expect(error.message).toContain(file)
        expect(error.message).toContain("is damaged")
        expect(readFileSync(file, "utf8")).toBe(text)
      }
      writeFileSync(file, whole.replace('"version":1', '"version":2'))
      expect((yield* Effect.flip(reserve(store, "r2", 1n))).message).toContain(
        "has format version 2, which requires a newer version"
      )
      writeFileSync(file, whole)
      expect(yield* reserve(store, "r2", 1n)).toEqual({ window: "total", left: 0n })
    })
  )

  it.effect("refuses a folder or a record that others can read or write", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      mkdirSync(path, { recursive: true })
      chmodSync(path, 0o770)
      const store = FileStore.make(path)
      expect((yield* Effect.flip(takeKey(store, key, "one"))).message).toContain(
        `its mode is 770. Run chmod 700 ${path}`
      )
      expect(readdirSync(path)).toEqual([])
      chmodSync(path, 0o700)
      yield* takeKey(store, key, "one")
      const file = fileOf(path, "key-")
      chmodSync(file, 0o620)
      expect((yield* Effect.flip(takeKey(store, key, "one"))).message).toContain(
        `its mode is 620. Run chmod 600 ${file}`
      )
    })
  )

  it.effect("does not follow symbolic links out of its folder", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const outside = `${path}-outside`
      const store = FileStore.make(path)
      yield* takeKey(store, key, "one")
      const file = fileOf(path, "key-")
      const text = readFileSync(file, "utf8")
      writeFileSync(outside, text, { mode: 0o600 })
      yield* removeKey(store)
      symlinkSync(outside, `${file}.new`)
      yield* takeKey(store, key, "two")
      expect(readFileSync(outside, "utf8")).toBe(text)
      yield* removeKey(store)
      symlinkSync(outside, file)
      expect((yield* Effect.flip(takeKey(store, key, "two"))).message).toContain("is damaged")
      expect(readFileSync(outside, "utf8")).toBe(text)
    })
  )
})

/** Starts processes, waits until each is ready to begin, and runs `each` for all of them at once. */
const race = <E, R>(
  count: number,
  start: (id: string) => Effect.Effect<Processes.Child, E, R>,
  each: (index: number, child: Processes.Child) => Effect.Effect<void, Error, R>
) =>
  Effect.gen(function* () {
    const children = yield* Effect.all(Array.from({ length: count }, (_, index) => start(`p${index}`)))
    for (const child of children) yield* child.printed((lines) => lines.includes("ready"))
    yield* Effect.forEach(children, (child, index) => each(index, child), { concurrency: "unbounded", discard: true })
  })

describe("a store in files that processes share", { timeout: 600_000 }, () => {
  it.effect("enforces a budget across 5 processes with kill -9, and neither loses nor doubles a reservation", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const printed: Array<string> = []
      const killed: Array<string> = []
      let started = 5
      const ownerOf = (line: string) => /p\d+/.exec(line)?.[0] ?? ""

      const begin = (id: string) => Processes.start(["spend", path, id])
      const seat = Effect.fnUntraced(function* (index: number, first: Processes.Child) {
        let child = first
        for (const quota of index < 3 ? [3 + index, 9 + index] : []) {
          yield* child.begin
          yield* child.printed((lines) => lines.length > quota || lines.includes("exhausted"))
          // It continues until the signal arrives, so that it can die at any step.
          yield* child.signal("SIGKILL")
          const { lines } = yield* child.ended
          printed.push(...lines)
          if (!lines.includes("exhausted")) killed.push(...lines.slice(1, 2).map(ownerOf))
          child = yield* begin(`p${started++}`)
        }
        yield* child.begin
        const { code, lines, stderr } = yield* child.ended
        expect([code, stderr]).toEqual([0, ""])
        printed.push(...lines)
      })
      yield* race(5, begin, seat)

      const { recent, total } = spentIn(path)
      const found = recent.map(({ id }) => id)
      const said = (verb: string) =>
        printed.filter((line) => line.startsWith(verb)).map((line) => line.slice(verb.length + 1))
      const released = new Set(said("released"))
      expect(killed.length).toBeGreaterThan(0)
      // All units are spent, and never one more.
      expect([total, recent.length]).toEqual(["300", 100])
      expect(new Set(found).size).toBe(found.length)
      expect([...released].filter((id) => found.includes(id))).toEqual([])

      // Only a process that is killed between a write and its output leaves a difference to what it printed.
      const unprinted = found.filter((id) => !said("reserved").includes(id))
      const takenBack = said("reserved").filter((id) => !released.has(id) && !found.includes(id))
      const owners = [...unprinted, ...takenBack].map(ownerOf)
      expect(new Set(owners).size).toBe(owners.length)
      expect(owners.filter((owner) => !killed.includes(owner))).toEqual([])
      expect(takenBack.filter((id) => Number(id.split("-")[1]) % 8 !== 7)).toEqual([])
    })
  )

  it.effect("gives every key to one of 5 processes with kill -9, and records one end for each", () =>
    Effect.gen(function* () {
      const path = yield* freshFolder
      const keys = 16
      const outputs: Array<{ readonly id: string; readonly lines: ReadonlyArray<string> }> = []
      yield* race(
        5,
        (id) => Processes.start(["contend", path, id, `${keys}`]),
        Effect.fnUntraced(function* (index, child) {
          yield* child.begin
          if (index < 3) {
            yield* child.printed((lines) => lines.length > index + 2 || lines.includes("finished"))
            yield* child.signal("SIGKILL")
          }
          const { lines, stderr } = yield* child.ended
          expect(stderr).toBe("")
          outputs.push({ id: `p${index}`, lines })
        })
      )

      const found = recordsOf(path).map(({ record }) => record)
      expect(found.map(({ key }) => String(key)).toSorted()).toEqual(
        Array.from({ length: keys }, (_, i) => keyOf(i)).toSorted()
      )
      for (const record of found) {
        const who = (verb: string) =>
          outputs.filter(({ lines }) => lines.includes(`${verb} ${String(record["key"])}`)).map(({ id }) => id)
        expect(record["status"]).toBe("settled")
        expect([[], [record["flowId"]]]).toContainEqual(who("taken"))
        expect([[], [record["swapId"]]]).toContainEqual(who("ended"))
      }
    })
  )

  it.live("leaves the old or the new record if its process is killed at any step of an update", () =>
    Effect.gen(function* () {
      const left: Array<string> = []
      const steps = yield* Processes.everyStep(
        "KILL",
        ["reserve", "r2"],
        (path) => reserve(FileStore.make(path), "r1", 1n),
        (path) =>
          Effect.gen(function* () {
            left.push(
              spentIn(path)
                .recent.map(({ id }) => id)
                .join()
            )
            yield* reserve(FileStore.make(path), "r2", 1n)
            expect(spentIn(path)).toMatchObject({ total: "2", recent: [{ id: "r1" }, { id: "r2" }] })
            expect(readdirSync(path)).toHaveLength(2)
          })
      )
      expect(steps).toBeGreaterThan(6)
      expect(new Set(left)).toEqual(new Set(["r1", "r1,r2"]))
      expect(left.toSorted((one, other) => one.length - other.length)).toEqual(left)
    })
  )

  it.live("fails with a StoreError if any step of an update finds the disk full", () =>
    Processes.everyStep(
      "ENOSPC",
      ["reserve", "r2"],
      (path) => reserve(FileStore.make(path), "r1", 1n),
      (path, line = "", { code, stderr }) =>
        Effect.sync(() => {
          const ids = spentIn(path).recent.map(({ id }) => id)
          expect([code, stderr]).toEqual([0, ""])
          expect([["r1"], ["r1", "r2"]]).toContainEqual(ids)
          if (line.startsWith("done")) return expect(ids).toEqual(["r1", "r2"])
          expect(line).toMatch(/^StoreError The store in \S+ cannot be used: the disk is full\.$/)
        })
    )
  )
})
