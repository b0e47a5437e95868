/** Many swaps at once, whose callers go on for as long as it takes, whichever replica answers. */
import { isSwapError, type Swap } from "@geoswap/core/promise"
import { plain, type Scenario } from "../kill/scenario.js"
import { type Ended, plan, type Plan, sign, type Signed } from "../kill/swap.js"
import { elapse } from "../stack/scene.js"
import type { Shape as World } from "./world.js"

/** Longer than two replicas can be away, one after the other. */
const patience = 300_000

/** Between the families, in every direction, and some that can only be given back. */
const ways = plain.filter(({ status }) => status !== "failed")

/** So many, of every way by turns. */
export const mixed = (count: number): ReadonlyArray<Scenario> =>
  Array.from({ length: count }, (_, index) => ways[index % ways.length]).filter((way) => way !== undefined)

/** Between the EVM chains alone. */
export const acrossEvm = (count: number): ReadonlyArray<Scenario> =>
  Array.from({ length: count }, (_, index) => ways[index % 2]).filter((way) => way !== undefined)

/** From the first EVM chain to the second. */
export const toSecondChain = (count: number): ReadonlyArray<Scenario> =>
  acrossEvm(2 * count).filter(({ destination }) => destination === "evmB")

export const planAll = async (world: World, scenarios: ReadonlyArray<Scenario>): Promise<ReadonlyArray<Plan>> => {
  const plans: Array<Plan> = []
  for (const scenario of scenarios) plans.push(await plan(world, scenario))
  return plans
}

export const signAll = (world: World, plans: ReadonlyArray<Plan>): Promise<ReadonlyArray<Signed>> =>
  Promise.all(plans.map((each) => sign(world, each)))

/** Whatever a replica that is in trouble answers, the same is asked again. */
const patiently = async <A>(call: () => Promise<A>): Promise<A> => {
  const end = Date.now() + patience
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!isSwapError(error) || error._tag !== "Unavailable" || Date.now() > end) throw error
      await elapse(200)
    }
  }
}

export const submit = ({ client }: Pick<World, "client">, { submission }: Signed): Promise<Swap> =>
  patiently(() => client.submit(submission))

/** Follows a swap to its end. */
export const ended = async (world: World, swapId: string): Promise<Swap> => {
  const end = Date.now() + patience
  for (;;) {
    const swap = await patiently(() => world.client.status(swapId))
    if (swap.status !== "pending") return swap
    if (Date.now() > end) {
      const logs = world.replicas.map(({ host }) => host.server().log())
      throw new Error(`Swap ${swapId} does not end.\n${logs.join("\n\n")}`)
    }
  }
}

/** Follows a swap that was submitted to its end, and submits it once more then. */
export const finish = async (world: World, signed: Signed): Promise<Ended> => {
  const first = await submit(world, signed)
  const swap = await ended(world, first.swapId)
  const again = await submit(world, signed)
  return { ...signed, swap, ids: new Set([first.swapId, swap.swapId, again.swapId]) }
}

/** A whole swap of a caller who asks anew where a quote or an operation is too old: then nothing was accepted. */
export const swap = async (world: World, plan: Plan): Promise<Ended> => {
  for (;;) {
    try {
      const signed = await sign(world, plan)
      await submit(world, signed)
      return await finish(world, signed)
    } catch (error) {
      if (!isSwapError(error) || error._tag !== "Expired") throw error
    }
  }
}
