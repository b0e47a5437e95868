import { describe, expect, it } from "@effect/vitest"
import { SqlStore, Store } from "@geoswap/service"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Sqlite from "../../src/storage/Sqlite.js"
import { newPath } from "./sqlite/folder.js"
import { start } from "./sqlite/spawn.js"

const memory = Sqlite.layer({ path: ":memory:" })

/** A table of numbered words. */
const withWords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE words (id BIGINT NOT NULL UNIQUE, word TEXT)`
  const words = Effect.map(sql<{ word: string }>`SELECT word FROM words ORDER BY id`, (rows) =>
    rows.map(({ word }) => word)
  )
  const add = (id: number, word: string) => sql`INSERT INTO words (id, word) VALUES (${id}, ${word})`
  return { sql, words, add }
})

const modeOf = (path: string) => statSync(path).mode & 0o777
const openStore = (path: string) => Layer.fresh(SqlStore.layer.pipe(Layer.provideMerge(Sqlite.layer({ path }))))

describe("SQLite file", () => {
  it.effect("uses a write-ahead log, full sync, foreign keys and a busy timeout", () =>
    Effect.gen(function* () {
      const path = yield* newPath
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`PRAGMA journal_mode`).toMatchObject([{ journal_mode: "wal" }])
        expect(yield* sql`PRAGMA synchronous`).toMatchObject([{ synchronous: 2 }])
        expect(yield* sql`PRAGMA foreign_keys`).toMatchObject([{ foreign_keys: 1 }])
        expect(yield* sql`PRAGMA busy_timeout`).toMatchObject([{ timeout: 5_000 }])
      }).pipe(Effect.provide(Sqlite.layer({ path })))
    })
  )

  it.effect("is readable only by its owner, including its side files", () =>
    Effect.gen(function* () {
      const path = yield* newPath
      yield* Sqlite.lock(path)
      yield* Effect.gen(function* () {
        yield* withWords
        for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}.lock`]) expect(modeOf(file)).toBe(0o600)
      }).pipe(Effect.provide(Sqlite.layer({ path })))
    })
  )

  it.effect("keeps its data when it is opened again", () =>
    Effect.gen(function* () {
      const path = yield* newPath
      yield* Effect.flatMap(withWords, ({ add }) => add(1, "kept")).pipe(Effect.provide(Sqlite.layer({ path })))
      const rows = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT word FROM words`).pipe(
        Effect.provide(Layer.fresh(Sqlite.layer({ path })))
      )
      expect(rows).toMatchObject([{ word: "kept" }])
    })
  )

  it.effect("reports the path and what to check if the file is not a database", () =>
    Effect.gen(function* () {
      const path = yield* newPath
      const opened = (path: string) => Effect.flip(Effect.provide(SqlClient.SqlClient, Sqlite.layer({ path })))
      const missing = yield* opened(join(path, "nowhere", "geoswap.db"))
      expect(missing._tag).toBe("SqliteError")
      expect(missing.message).toContain(join(path, "nowhere", "geoswap.db"))
      expect(missing.message).toContain("Check that its folder exists")
      writeFileSync(path, "Dear diary, this is not a database but a text of some length.".repeat(50))
      expect((yield* opened(path)).message).toContain("file is not a database")
      expect((yield* opened(dirname(path)))._tag).toBe("SqliteError")
    })
  )
})

describe("SQLite client", () => {
  it.effect("has a separate database in memory", () =>
    Effect.gen(function* () {
      const tables = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT name FROM sqlite_master`)
      yield* Effect.andThen(withWords, tables).pipe(
        Effect.tap((rows) => Effect.sync(() => expect(rows.length).toBeGreaterThan(0))),
        Effect.provide(Layer.fresh(memory))
      )
      expect(yield* Effect.provide(tables, Layer.fresh(memory))).toHaveLength(0)
    })
  )

  it.effect("keeps writes of other fibers out of a transaction that is rolled back", () =>
    Effect.gen(function* () {
      const { add, sql, words } = yield* withWords
      const inside = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const transaction = yield* add(1, "undone").pipe(
        Effect.andThen(Deferred.succeed(inside, undefined)),
        Effect.andThen(Deferred.await(goOn)),
        Effect.andThen(words),
        Effect.flatMap((seen) => Effect.fail(seen)),
        sql.withTransaction,
        Effect.flip,
        Effect.forkChild
      )
      yield* Deferred.await(inside)
      const plain = yield* Effect.forkChild(add(2, "kept"))
      const reading = yield* Effect.forkChild(words)
      const second = yield* Effect.forkChild(sql.withTransaction(add(3, "kept too")))
      // All three have started and are waiting.
      yield* Effect.yieldNow.pipe(Effect.repeat({ times: 20 }))
      yield* Deferred.succeed(goOn, undefined)
      expect(yield* Fiber.join(transaction)).toStrictEqual(["undone"])
      yield* Fiber.join(plain)
      expect(yield* Fiber.join(reading)).not.toContain("undone")
      yield* Fiber.join(second)
      expect(yield* words).toStrictEqual(["kept", "kept too"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("loses no updates of transactions that read and then write", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE counter (n BIGINT NOT NULL)`
      yield* sql`INSERT INTO counter (n) VALUES (0)`
      const increment = Effect.gen(function* () {
        const [row] = yield* sql<{ n: number }>`SELECT n FROM counter`
        yield* Effect.yieldNow
        yield* sql`UPDATE counter SET n = ${(row?.n ?? 0) + 1}`
      }).pipe(sql.withTransaction)
      yield* Effect.all(
        Array.from({ length: 100 }, () => increment),
        { concurrency: "unbounded" }
      )
      expect(yield* sql`SELECT n FROM counter`).toMatchObject([{ n: 100 }])
    }).pipe(Effect.provide(memory))
  )

  it.effect("blocks writes of other processes during a transaction", () =>
    Effect.gen(function* () {
      const path = yield* newPath
      const { sql, words } = yield* Effect.provide(withWords, yield* Layer.build(Sqlite.layer({ path })))
      const other = new DatabaseSync(path, { timeout: 0 })
      const write = () => other.exec("INSERT INTO words (id, word) VALUES (1, 'from elsewhere')")
      yield* sql.withTransaction(Effect.tap(words, () => Effect.sync(() => expect(write).toThrow("locked"))))
      write()
      other.close()
      expect(yield* words).toStrictEqual(["from elsewhere"])
    })
  )

  it.effect("rolls back a transaction that is interrupted, dies or fails, and stays usable", () =>
    Effect.gen(function* () {
      const { add, sql, words } = yield* withWords
      const inside = yield* Deferred.make<void>()
      const interrupted = yield* add(1, "interrupted").pipe(
        Effect.andThen(Deferred.succeed(inside, undefined)),
        Effect.andThen(Effect.never),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(inside)
      const waiting = yield* Effect.forkChild(sql.withTransaction(add(2, "never began")))
      yield* Effect.yieldNow.pipe(Effect.repeat({ times: 20 }))
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(interrupted)
      expect(yield* words).toStrictEqual([])
      const died = yield* Effect.exit(sql.withTransaction(Effect.andThen(add(1, "died"), Effect.die("no"))))
      expect(Exit.hasDies(died)).toBe(true)
      // A failed statement rolls back those before it.
      yield* Effect.flip(sql.withTransaction(Effect.andThen(add(1, "failed"), add(1, "twice"))))
      expect(yield* words).toStrictEqual([])
      yield* sql.withTransaction(add(1, "fine"))
      expect(yield* words).toStrictEqual(["fine"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("rolls back only the inner transaction", () =>
    Effect.gen(function* () {
      const { add, sql, words } = yield* withWords
      yield* Effect.gen(function* () {
        yield* add(1, "outer")
        yield* Effect.flip(sql.withTransaction(Effect.andThen(add(2, "inner"), Effect.fail("no"))))
        yield* sql.withTransaction(add(3, "second"))
      }).pipe(sql.withTransaction)
      expect(yield* words).toStrictEqual(["outer", "second"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("rolls back a transaction whose commit is refused, and stays usable", () =>
    Effect.gen(function* () {
      const { sql } = yield* withWords
      yield* sql`CREATE TABLE later (word BIGINT REFERENCES words (id) DEFERRABLE INITIALLY DEFERRED)`
      const error = yield* Effect.flip(sql.withTransaction(sql`INSERT INTO later (word) VALUES (7)`))
      expect(error.reason._tag).toBe("ConstraintError")
      expect(yield* sql`SELECT * FROM later`).toHaveLength(0)
      yield* sql.withTransaction(sql`INSERT INTO later (word) VALUES (NULL)`)
    }).pipe(Effect.provide(memory))
  )

  it.effect("classifies errors", () =>
    Effect.gen(function* () {
      const { add, sql } = yield* withWords
      yield* add(1, "one")
      const kind = (statement: Effect.Effect<unknown, { reason: { _tag: string } }>) =>
        Effect.map(Effect.flip(statement), ({ reason }) => reason._tag)
      expect(yield* kind(add(1, "again"))).toBe("UniqueViolation")
      expect(yield* kind(sql`INSERT INTO words (id) VALUES (NULL)`)).toBe("ConstraintError")
      expect(yield* kind(sql`SELECT nothing FROM nowhere`)).toBe("UnknownError")
    }).pipe(Effect.provide(memory))
  )

  it.effect("accepts values that SQLite can store and refuses others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const bytes = Uint8Array.of(1, 2, 3)
      const row = sql`SELECT ${"text"} AS a, ${1.5} AS b, ${7n} AS c, ${null} AS d, ${undefined} AS e, ${true} AS f, ${bytes} AS g`
      expect(yield* row.values).toStrictEqual([["text", 1.5, 7, null, null, 1, bytes]])
      expect(yield* row).toMatchObject([{ a: "text", c: 7, e: null, f: 1 }])
      expect(yield* row.values).toHaveLength(1)
      expect(yield* Stream.runCollect(row.stream)).toMatchObject([{ a: "text" }])
      expect(yield* row.raw).toMatchObject([{ a: "text" }])
      yield* sql`CREATE TABLE numbers (n BIGINT)`
      expect(yield* sql`INSERT INTO numbers (n) VALUES (1), (2)`.raw).toMatchObject({ changes: 2 })
      for (const value of [new Date(0), { a: 1 }, Symbol("no"), 2n ** 64n])
        yield* Effect.flip(sql`SELECT ${value} AS a`)
      // Rejects numbers that would lose precision.
      yield* Effect.flip(sql`SELECT 9007199254740993 AS n`)
    }).pipe(Effect.provide(memory))
  )

  it.effect("prepares more statements than it caches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (let n = 0; n < 1_000; n++) expect(yield* sql.unsafe(`SELECT ${n} AS n`)).toMatchObject([{ n }])
      expect(yield* sql.unsafe("SELECT 0 AS n")).toMatchObject([{ n: 0 }])
    }).pipe(Effect.provide(memory))
  )
})

describe("database lock", () => {
  it.effect("is held by one server, and others get the path and what to do", () =>
    Effect.gen(function* () {
      const path = yield* newPath
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Sqlite.lock(path)
          const refused = yield* Effect.flip(Sqlite.lock(path))
          expect(refused._tag).toBe("DatabaseInUse")
          expect(refused.message).toContain(path)
          expect(refused.message).toContain("Stop that server")
          // The refusal did not release the lock of its holder.
          expect((yield* Effect.flip(Sqlite.lock(path)))._tag).toBe("DatabaseInUse")
          const child = yield* start("hold", path)
          expect((yield* Effect.flip(child.said(1))).message).toContain("DatabaseInUse")
        })
      )
      yield* Sqlite.lock(path)
    })
  )

  it.effect("is shared by all names of a file and not needed in memory", () =>
    Effect.gen(function* () {
      const path = yield* newPath
      writeFileSync(path, "")
      symlinkSync(path, `${path}.link`)
      yield* Sqlite.lock(path)
      expect((yield* Effect.flip(Sqlite.lock(`${path}.link`)))._tag).toBe("DatabaseInUse")
      yield* Sqlite.lock(":memory:")
      yield* Sqlite.lock(":memory:")
    })
  )

  it.effect("is released when the server is killed", () =>
    Effect.gen(function* () {
      const path = yield* newPath
      const child = yield* start("hold", path)
      yield* child.said(1)
      expect((yield* Effect.flip(Sqlite.lock(path)))._tag).toBe("DatabaseInUse")
      yield* child.kill
      yield* Sqlite.lock(path)
    })
  )

  it.effect("reports other reasons why it cannot be taken", () =>
    Effect.gen(function* () {
      const path = yield* newPath
      expect((yield* Effect.flip(Sqlite.lock(join(path, "nowhere")))).message).toContain("Check that its folder exists")
    })
  )

  it.effect("lets commands of other processes use the file", () =>
    Effect.gen(function* () {
      const path = yield* newPath
      yield* Sqlite.lock(path)
      yield* Effect.gen(function* () {
        const store = yield* Store.Store
        expect(yield* store.apiKeys).toStrictEqual([])
        const child = yield* start("addKey", path)
        expect(yield* child.ended).toBe(0)
        expect(yield* store.apiKeys).toMatchObject([{ id: "k1", accountName: "Ada", label: "from elsewhere" }])
        yield* store.revokeApiKey("k1")
      }).pipe(Effect.provide(openStore(path)))
    })
  )
})

describe("process killed while it writes", () => {
  it.live("keeps every accepted swap and no partial writes", () =>
    Effect.gen(function* () {
      const count = 23
      const path = yield* newPath
      const child = yield* start("accept", path)
      yield* child.said(count)
      yield* child.kill
      expect(child.lines.length).toBeGreaterThanOrEqual(count)
      yield* Effect.gen(function* () {
        const store = yield* Store.Store
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`PRAGMA integrity_check`).toMatchObject([{ integrity_check: "ok" }])
        const rows = yield* sql<{ id: string }>`SELECT id FROM swaps`
        const stored = new Set(rows.map(({ id }) => id))
        expect(child.lines.filter((number) => !stored.has(`swap-${number}`))).toStrictEqual([])
        for (const id of stored) expect(yield* store.events(id)).toHaveLength(1)
        expect(yield* sql`SELECT id FROM swaps WHERE id NOT IN (SELECT swap_id FROM claims)`).toHaveLength(0)
        expect(yield* store.claim({ owner: "next", leaseMillis: 1_000, limit: 100_000 })).toHaveLength(stored.size)
      }).pipe(Effect.provide(openStore(path)))
    })
  )
})
