/**
 * A process that uses a store in files, `child.ts <task> <folder> …`, and prints the result. A write with a fault
 * has one folder for each step that the fault is at, separated by colons, and `STEP` is the first of these steps.
 */
import { existsSync, writeSync } from "node:fs"
import { Store } from "@geoswap/core"
import { FileStore } from "@geoswap/core/node"
import * as Effect from "effect/Effect"
import { arm, disarm } from "./faults.ts"
import { accepted, budget, flow, keyOf, put, remove, takeKey, wallet } from "./fixture.ts"

const [task = "", folders = "", ...rest] = process.argv.slice(2)
const [folder = "", ...more] = folders.split(":")
const firstStep = Number(process.env["STEP"] ?? 0)

/** Prints synchronously, before anything else happens. */
const print = (line: string): void => void writeSync(1, `${line}\n`)

/** Runs one write in each folder with the fault of this process at the next step, and prints how each ended. */
const attempt = <E extends { readonly _tag: string; readonly message: string }>(
  write: (path: string) => Effect.Effect<unknown, E>
) =>
  Effect.forEach(
    [folder, ...more],
    (path, index) =>
      Effect.suspend(() => {
        arm(firstStep + index)
        return Effect.matchEffect(write(path), {
          onSuccess: () => Effect.sync(() => print(`done ${disarm().join(" ")}`)),
          onFailure: ({ _tag, message }) =>
            Effect.sync(() => {
              disarm()
              print(`${_tag} ${message}`)
            })
        })
      }),
    { discard: true }
  )

const [id = "", detail = ""] = rest

/** Waits until all processes of a race are ready. */
const ready = Effect.suspend(() => {
  print("ready")
  return Effect.promise(() => new Promise((resolve) => process.stdin.once("end", resolve).resume()))
})

/** A lock timeout that is long enough for slow machines. */
const open = (path: string) => FileStore.make(path, { lockTimeout: 600_000 })
const store = open(folder)

/** Returns three units that were reserved. */
const release = (reservation: string) =>
  store.update(wallet, (document) => {
    const spent = document.spent.map(({ recent, total, ...scope }) => {
      const others = recent.filter((one) => one.id !== reservation)
      return { ...scope, total: total - 3n, recent: others }
    })
    return [{ ...document, spent }, undefined]
  })

/** Reserves three units after another three until nothing is left, and prints each reservation. */
const spend = Effect.gen(function* () {
  yield* ready
  for (let count = 0; ; count++) {
    const reservation = `${id}-${count}`
    if ((yield* Store.reserve(store, wallet, { ...budget, id: reservation, amount: 3n })) !== undefined)
      return print("exhausted")
    print(`reserved ${reservation}`)
    // One in eight is released, as if nothing had been signed.
    if (count % 8 !== 7) continue
    yield* release(reservation)
    print(`released ${reservation}`)
  }
}).pipe(Effect.orDie)

/** Takes one key after another for a flow of this process, records an end for those that have none, and prints both. */
const contend = (count: number) =>
  Effect.gen(function* () {
    yield* ready
    for (let index = 0; index < count; index++) {
      const key = keyOf(index)
      if ((yield* takeKey(store, key, id)).flowId === id) print(`taken ${key}`)
      const isEnded = yield* store.updateKey(key, (taken) =>
        taken?.swapId === undefined ? [taken && { ...taken, swapId: id, status: "settled" }, true] : [taken, false]
      )
      if (isEnded) print(`ended ${key}`)
    }
    print("finished")
  }).pipe(Effect.orDie)

const tasks: Readonly<Record<string, () => Effect.Effect<void>>> = {
  put: () => attempt((path) => put(open(path), accepted(id, detail))),
  remove: () => attempt((path) => remove(open(path), id)),
  reserve: () => attempt((path) => Store.reserve(open(path), wallet, { ...budget, id, amount: 1n })),
  spend: () => spend,
  /** Loaded on demand: a process that only writes starts twice as fast without the client. */
  swap: () =>
    Effect.flatMap(
      Effect.promise(() => import("./childSwap.ts")),
      ({ swap }) => Effect.andThen(ready, swap({ folder, count: Number(id), print }))
    ),
  /** Swaps twice with the same key, with a fault in the first call. */
  swapAgain: () =>
    Effect.gen(function* () {
      const { swapAgain } = yield* Effect.promise(() => import("./childSwap.ts"))
      for (const [index, path] of [folder, ...more].entries()) {
        let steps = 0
        const repeated = yield* swapAgain(path, id === "authenticated", {
          begin: () => arm(firstStep + index),
          end: () => (steps = disarm().length)
        })
        print(JSON.stringify({ ...repeated, steps }))
      }
    }),
  /** Swaps once in each folder, with a fault. The services have one URL each. */
  swapOnce: () =>
    Effect.gen(function* () {
      const { createStore, swapOnce } = yield* Effect.promise(() => import("./childSwap.ts"))
      const authenticated = id === "authenticated"
      const urls = detail.split(",")
      for (const [index, path] of [folder, ...more].entries()) {
        if (authenticated && !existsSync(path)) yield* createStore(path)
        if (firstStep > 0) arm(firstStep + index)
        const status = yield* swapOnce(path, authenticated, urls[index] ?? "")
        print(`${status} ${disarm().length}`)
      }
    }),
  contend: () => contend(Number(detail)),
  /** Writes as a user other than root, for whom every folder is writable. */
  putAsUser: () => {
    if (process.getuid?.() === 0) process.seteuid?.(65_534)
    return attempt((path) => put(FileStore.make(path), flow(id)))
  },
  /** Claims a flow, which may be `signing`, without keeping a reference to the store. */
  hold: () =>
    Effect.andThen(
      Effect.orDie(put(FileStore.make(folder), { ...flow(id), state: detail === "signing" ? detail : "signed" })),
      Effect.callback<never>(() => {
        setTimeout(() => {
          globalThis.gc?.()
          print("held")
          setInterval(() => undefined, 1_000)
        }, 1)
      })
    )
}

await Effect.runPromise(tasks[task]?.() ?? Effect.die(new Error(`There is no task "${task}".`)))
