/** Many swaps at once, whose callers retry for as long as it takes, with any replica. */
import { isSwapError, type Swap } from "@geoswap/core/promise"
import { plain, type Scenario } from "../crash/scenarios.js"
import { type Ended, plan, type Plan, sign, type Signed } from "../crash/swap.js"
import { elapse } from "../stack/fixture.js"
import { scenarioOf } from "./expiry.js"
import type { Shape as World } from "./fixture.js"

/** Longer than two replicas can be down, one after the other. */
const patience = 600_000

/** Between the families, in every direction, and some that must be refunded. */
const ways = plain.filter(({ status }) => status !== "failed")

/** That many scenarios in turn. */
export const mixed = (count: number): ReadonlyArray<Scenario> =>
  Array.from({ length: count }, (_, index) => ways[index % ways.length]).filter((way) => way !== undefined)

/** Only between the EVM chains. */
export const acrossEvm = (count: number): ReadonlyArray<Scenario> =>
  Array.from({ length: count }, (_, index) => ways[index % 2]).filter((way) => way !== undefined)

/** From the first EVM chain to the second. */
export const toSecondChain = (count: number): ReadonlyArray<Scenario> =>
  acrossEvm(2 * count).filter(({ destination }) => destination === "evmB")

/** From Solana to the first EVM chain. */
export const fromSolana: ReadonlyArray<Scenario> = ways.filter(
  ({ destination, origin, status }) => origin === "solana" && destination === "evmA" && status === "settled"
)

export const planAll = async (world: World, scenarios: ReadonlyArray<Scenario>): Promise<ReadonlyArray<Plan>> => {
  const plans: Array<Plan> = []
  for (const scenario of scenarios) plans.push(await plan(world, scenario))
  return plans
}

const isExpired = (error: unknown): boolean => isSwapError(error) && error._tag === "Expired"

/** Signs a swap, with retries; quotes again if a slow machine builds too late. */
const signInTime = async (world: World, plan: Plan): Promise<Signed> => {
  for (;;) {
    try {
      return await patiently(() => sign(world, plan))
    } catch (error) {
      if (!isExpired(error)) throw error
    }
  }
}

export const signAll = (world: World, plans: ReadonlyArray<Plan>): Promise<ReadonlyArray<Signed>> =>
  Promise.all(plans.map((each) => signInTime(world, each)))

/** Repeats a request whatever error a failing replica returns. */
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
const ended = async (world: World, swapId: string): Promise<Swap> => {
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

/** Submits a swap, follows it to its end, and submits it again. */
export const finish = async (world: World, signed: Signed): Promise<Ended> => {
  const first = await submit(world, signed)
  const swap = await ended(world, first.swapId)
  const again = await submit(world, signed)
  const scenario = await scenarioOf(world, { ...signed, swap })
  return { ...signed, scenario, swap, ids: new Set([first.swapId, swap.swapId, again.swapId]) }
}

/**
 * Submits a swap that many times at once. Returns what was signed and all ids. Signs again if every response is that the
 * operation expired: then nothing was accepted.
 */
const accepted = async (world: World, plan: Plan, times: number) => {
  for (;;) {
    const signed = await signInTime(world, plan)
    const answers = await Promise.allSettled(Array.from({ length: times }, () => submit(world, signed)))
    for (const answer of answers) {
      if (answer.status === "rejected" && !isExpired(answer.reason)) throw answer.reason
    }
    const ids = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.swapId] : []))
    if (ids.length > 0) return { signed, ids }
  }
}

/** A whole swap of a caller that swaps again if the operation expires. Returns all accepted swaps. */
export const swap = async (world: World, plan: Plan, times = 1): Promise<ReadonlyArray<Ended>> => {
  const all: Array<Ended> = []
  for (;;) {
    const { ids, signed } = await accepted(world, plan, times)
    const end = await finish(world, signed)
    all.push({ ...end, ids: new Set([...ids, ...end.ids]) })
    if (end.scenario === plan.scenario) return all
  }
}

/** A slow machine with all swaps at once answers none of them in time. */
const atOnce = 20

/** Executes all swaps, each with that many submits at once. */
export const swapAll = async (
  world: World,
  plans: ReadonlyArray<Plan>,
  times: number
): Promise<ReadonlyArray<Ended>> => {
  const left = [...plans]
  const all: Array<Ended> = []
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) all.push(...(await swap(world, next, times)))
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return all
}
