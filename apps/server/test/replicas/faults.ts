/** Injects faults into servers and the database while swaps run. */
import { expect } from "vitest"
import type { SeededRandom } from "../../../../tooling/testing/seededRandom.js"
import type { Ended, Plan } from "../faults/crash/swap.js"
import { elapse, make } from "../stack/fixture.js"
import type { Shape as Fixture } from "./fixture.js"
import type { Replica } from "./replica.js"
import { swap } from "./swaps.js"

/** Longer than the lease of a replica that does not answer. */
const pastLeaseMillis = 17_000

/** Kills a replica; another one starts in its place. */
export const kill = async (replica: Replica): Promise<void> => {
  replica.isIn = false
  const { code, signal } = await replica.host.kill()
  expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" })
  await replica.host.start()
  replica.isIn = true
}

/** Pauses a replica until others have its swaps, and runs an action meanwhile. */
const stop = async (replica: Replica, meanwhile: () => Promise<void>): Promise<void> => {
  replica.isIn = false
  replica.pause()
  await Promise.all([elapse(pastLeaseMillis), meanwhile()])
  replica.resume()
  replica.isIn = true
}

/**
 * Restarts the database after a delay. While it is down, every blockhash expires: Solana transactions that were signed
 * and not sent are dead, on a fast machine as on a slow one.
 */
const restart =
  ({ devnet, postgres }: Fixture, mode: "fast" | "immediate", afterMillis: number) =>
  async () => {
    await elapse(afterMillis)
    await postgres.stop(mode)
    await make(devnet.solana.expireBlockhashes)
    await elapse(1_000)
    await postgres.start()
  }

/** Both servers are killed and paused, and the database restarts while each is paused. */
export const killsAndPauses = (
  fixture: Fixture,
  { below, shuffle }: SeededRandom
): ReadonlyArray<() => Promise<void>> => {
  const [first, second] = fixture.replicas
  return shuffle([
    () => kill(first),
    () => kill(second),
    () => stop(first, restart(fixture, "fast", below(6_000))),
    () => stop(second, restart(fixture, "immediate", below(6_000)))
  ])
}

/** Submits swaps in as many parts as there are faults, one during each part. Returns every swap, including expired ones. */
export const inTurmoil = async (
  fixture: Fixture,
  plans: ReadonlyArray<Plan>,
  faults: ReadonlyArray<() => Promise<void>>,
  { below }: SeededRandom
): Promise<ReadonlyArray<Ended>> => {
  const ends: Array<Promise<ReadonlyArray<Ended>>> = []
  const size = Math.ceil(plans.length / faults.length)
  for (const [index, fault] of faults.entries()) {
    const some = plans.slice(index * size, (index + 1) * size)
    ends.push(...some.map((each) => swap(fixture, each)))
    // A failed swap is reported at the end, not as an unhandled rejection.
    Promise.all(ends).catch(() => undefined)
    await elapse(below(5_000))
    await fault()
  }
  return (await Promise.all(ends)).flat()
}
