/** Swaps whose servers and database have a bad day. */
import { expect } from "vitest"
import type { Ended, Plan } from "../kill/swap.js"
import { elapse } from "../stack/scene.js"
import type { Replica } from "./replica.js"
import { swap } from "./swaps.js"
import type { Shape as World } from "./world.js"

/** Longer than a replica holds swaps that it does not answer for. */
const pastLeaseMillis = 17_000

/** Ends a replica at once; another one starts in its place. */
const kill = async (replica: Replica): Promise<void> => {
  replica.isIn = false
  const { code, signal } = await replica.host.kill()
  expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" })
  await replica.host.start()
  replica.isIn = true
}

/** Stops a replica until others have what it held, and does something meanwhile. */
const stop = async (replica: Replica, meanwhile: () => Promise<void>): Promise<void> => {
  replica.isIn = false
  replica.pause()
  await Promise.all([elapse(pastLeaseMillis), meanwhile()])
  replica.resume()
  replica.isIn = true
}

/** Submits swaps in four parts: while each one runs, something else happens. */
export const inTurmoil = async (world: World, plans: ReadonlyArray<Plan>): Promise<ReadonlyArray<Ended>> => {
  const { postgres, replicas } = world
  const [first, second] = replicas
  const restart = (mode: "fast" | "immediate") => async () => {
    await elapse(3_000)
    await postgres.stop(mode)
    await elapse(1_000)
    await postgres.start()
  }
  const troubles = [
    () => kill(first),
    () => stop(second, restart("fast")),
    () => kill(second),
    () => stop(first, restart("immediate"))
  ]
  const ends: Array<Promise<Ended>> = []
  const size = Math.ceil(plans.length / troubles.length)
  for (const [index, trouble] of troubles.entries()) {
    const some = plans.slice(index * size, (index + 1) * size)
    ends.push(...some.map((each) => swap(world, each)))
    // A swap that fails is told at the end, and not while nobody waits for it.
    const ready = Promise.all(ends)
    ready.catch(() => undefined)
    await elapse(2_500)
    await trouble()
  }
  return Promise.all(ends)
}
