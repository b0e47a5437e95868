/** Callers that wait at one replica for a swap that another one executes. */
import { type Ended, type Plan, sign } from "../faults/crash/swap.js"
import { elapse, make, until } from "../stack/fixture.js"
import { answersOf } from "../stack/requests.js"
import { confirmations, type Shape as Fixture } from "./fixture.js"
import { finish, submit } from "./swaps.js"

/** The listening sessions of servers. */
const listening = "FROM pg_stat_activity WHERE application_name = 'geoswap-server listener'"

/** Terminates every listening connection, and waits until all listen again. Returns how many there were. */
export const relisten = async ({ replicas, rows }: Fixture): Promise<number> => {
  const gone = await rows(`SELECT pid, pg_terminate_backend(pid) ${listening}`)
  const pids = gone.map(({ pid }) => String(pid)).join()
  await until(async () => (await rows(`SELECT pid ${listening} AND pid NOT IN (${pids})`)).length === replicas.length)
  return gone.length
}

/** How long a status request is held before the swap can finish. */
export const heldMillis = 500

/** Requests the status of a swap from the replica that does not execute it. Returns the response and its duration. */
export const heldElsewhere = async (fixture: Fixture, plan: Plan) => {
  const { apiKeys, devnet, replicas } = fixture
  const signed = await sign(fixture, plan)
  const before = replicas.map(({ host }) => host.server().lines.length)
  // Deliveries stay pending.
  await make(devnet.evmB.hold)
  const { swapId } = await submit(fixture, signed)
  const worker = await until(() =>
    replicas.find(({ host }, index) => host.server().lines.slice(before[index]).includes("step after delivery_sent"))
  )
  const other = replicas.find((replica) => replica !== worker)
  const held = answersOf(other?.url ?? "", apiKeys[0]).status(swapId)
  await elapse(heldMillis)
  await make(devnet.evmB.release)
  // Final at once.
  await make(devnet.evmB.mine(confirmations))
  const { body, millis } = await held
  const ended: Ended = await finish(fixture, signed)
  return { body, ended, millis }
}
