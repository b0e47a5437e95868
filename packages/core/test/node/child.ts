/**
 * A process that uses a store in files, `child.ts <task> <folder> …`, and prints the result. A write with a fault
 * has one folder for each step that the fault is at, separated by colons, and `STEP` is the first of these steps.
 */
import { writeSync } from "node:fs"
import { Store } from "@geoswap/core"
import { FileStore } from "@geoswap/core/node"
import * as Effect from "effect/Effect"
import { arm, disarm } from "./faults.ts"
import { budget, flow, keyOf } from "./fixture.ts"

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

const [id = "", swapId = ""] = rest

/** Waits until all processes of a race are ready. */
const ready = Effect.suspend(() => {
  print("ready")
  return Effect.promise(() => new Promise((resolve) => process.stdin.once("end", resolve).resume()))
})

/** A lock timeout that is long enough for slow machines. */
const open = (path: string) => FileStore.make(path, { lockTimeout: 600_000 })
const store = open(folder)

const put = (into: Store.Store, flow: Store.Flow) =>
  into.update(flow.request.walletAddress, (wallet) => [
    { ...wallet, flows: [...wallet.flows.filter((other) => other.id !== flow.id), flow] },
    undefined
  ])

const remove = (from: Store.Store, removed: string) =>
  from.update(budget.wallet, (wallet) => [
    { ...wallet, flows: wallet.flows.filter((other) => other.id !== removed) },
    undefined
  ])

/** Reserves three units after another three until nothing is left, and prints each reservation. */
const spend = Effect.gen(function* () {
  yield* ready
  for (let count = 0; ; count++) {
    const reservation = `${id}-${count}`
    if ((yield* Store.reserve(store, { ...budget, id: reservation, amount: 3n })) !== undefined)
      return print("exhausted")
    print(`reserved ${reservation}`)
    // One in eight is released, as if nothing had been signed.
    if (count % 8 !== 7) continue
    yield* Store.release(store, { ...budget, id: reservation })
    print(`released ${reservation}`)
  }
}).pipe(Effect.orDie)

/** Claims one key after another, moves the claimed ones to `signing`, and prints them. */
const contend = (count: number) =>
  Effect.gen(function* () {
    yield* ready
    for (let index = 0; index < count; index++) {
      const key = keyOf(index)
      const free = { key, wallet: budget.wallet, requestHash: "a", state: "claimed", owner: id, until: 0 } as const
      const owner = yield* store.updateKey(key, (entry = free) => [entry, entry.owner])
      if (owner === id) print(`claimed ${key}`)
      const moved = yield* store.updateKey(key, (entry) =>
        entry?.state === "claimed" ? [{ ...entry, state: "signing", flowId: `flow-${id}` }, true] : [entry, false]
      )
      if (moved) print(`signing ${key}`)
    }
    print("finished")
  }).pipe(Effect.orDie)

const tasks: Readonly<Record<string, () => Effect.Effect<void>>> = {
  put: () => attempt((path) => put(open(path), { ...flow(id), swapId })),
  remove: () => attempt((path) => remove(open(path), id)),
  reserve: () => attempt((path) => Store.reserve(open(path), { ...budget, id, amount: 1n })),
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
  contend: () => contend(Number(rest[1])),
  /** Writes as a user other than root, for whom every folder is writable. */
  putAsUser: () => {
    if (process.getuid?.() === 0) process.seteuid?.(65_534)
    return attempt((path) => put(FileStore.make(path), flow(id)))
  },
  /** Claims a flow without keeping a reference to the store. */
  hold: () =>
    Effect.andThen(
      Effect.orDie(put(FileStore.make(folder), flow(id))),
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
