/** Records whose methods return promises, for code without Effect. */
import * as Effect from "effect/Effect"
import type { PromiseStore, Records } from "../../Store.js"

/** Converts records for the promise client. */
export const toPromises = ({ locate, locks, names, onDamaged, read, update }: Records): PromiseStore => ({
  update: (name, change) => Effect.runPromise(update(name, change)),
  names: () => Effect.runPromise(names),
  read: read && ((name) => Effect.runPromise(read(name))),
  locate,
  locks,
  onDamaged
})
