/** A process that uses a journal, `child.ts <task> <folder> …`, and prints what became of it. */
import { writeSync } from "node:fs"
import { FileJournal } from "@geoswap/core/node"
import * as Effect from "effect/Effect"
import { arm, disarm } from "./faults.ts"
import { flow } from "./flows.ts"

const [task = "", folder = "", ...rest] = process.argv.slice(2)

/** Leaves this process before anything else happens. */
const print = (line: string): void => void writeSync(1, `${line}\n`)

/** Runs one write with the faults of this process, and prints how it ended. */
const attempt = <E extends { readonly _tag: string; readonly message: string }>(write: Effect.Effect<unknown, E>) =>
  Effect.suspend(() => {
    arm()
    return Effect.matchEffect(write, {
      onSuccess: () => Effect.sync(() => print(`done ${disarm()}`)),
      onFailure: ({ _tag, message }) =>
        Effect.sync(() => {
          disarm()
          print(`${_tag} ${message}`)
        })
    })
  })

const [id = "", swapId = ""] = rest

const tasks: Readonly<Record<string, () => Effect.Effect<void>>> = {
  put: () => attempt(FileJournal.make(folder, { lockTimeout: 60_000 }).put({ ...flow(id), swapId })),
  remove: () => attempt(FileJournal.make(folder, { lockTimeout: 60_000 }).remove(id)),
  /** Writes as another user than root, to whom every folder is writable. */
  putAsUser: () => {
    if (process.getuid?.() === 0) process.seteuid?.(65_534)
    return attempt(FileJournal.make(folder).put(flow(id)))
  },
  /** Works on a flow, in a way that leaves nothing which refers to the journal. */
  hold: () =>
    Effect.andThen(
      Effect.orDie(FileJournal.make(folder).put(flow(id))),
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
