/** A separate process that works on a database until it is killed: `child.ts <action> <path>`. */
import { SqlStore, Store } from "@geoswap/service"
import { StoreFixture } from "@geoswap/service/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { writeSync } from "node:fs"
import * as Sqlite from "../../../src/storage/Sqlite.js"

const { accept, order, plenty } = StoreFixture

const [what = "", path = ""] = process.argv.slice(2)
/** Written synchronously, before anything else happens. */
const say = (line: string) => Effect.sync(() => writeSync(1, `${line}\n`))

/** Accepts orders, eight at a time, and prints the number of each accepted one. */
const acceptAll = Effect.gen(function* () {
  const store = yield* Store.Store
  yield* Effect.forEach(
    Array.from({ length: 100_000 }, (_, number) => number),
    (number) => Effect.andThen(accept(store, order(number), plenty), say(String(number))),
    { concurrency: 8, discard: true }
  )
})

const addKey = Effect.gen(function* () {
  const store = yield* Store.Store
  const account = yield* store.account("Ada")
  yield* store.addApiKey({ id: "k1", accountId: account.id, hash: "00", label: "from elsewhere" })
  yield* say("added")
})

const hold = Effect.scoped(
  Effect.gen(function* () {
    yield* Sqlite.lock(path)
    // A lock that only a waiting fiber refers to must stay held. The timer also keeps the process running.
    let ticks = 0
    setInterval(() => {
      globalThis.gc?.()
      if (++ticks === 2) writeSync(1, "locked\n")
    }, 10)
    return yield* Effect.never
  })
)

const stored = Effect.provide(SqlStore.layer.pipe(Layer.provide(Sqlite.layer({ path }))))
const tasks: Record<string, Effect.Effect<void, unknown>> = {
  accept: acceptAll.pipe(stored),
  addKey: addKey.pipe(stored),
  hold
}

await Effect.runPromise(tasks[what] ?? Effect.die(`There is nothing called "${what}" to do.`))
