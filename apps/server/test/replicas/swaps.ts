/** Many swaps at once, whose callers retry for as long as it takes, with any replica. */
import { isSwapError, type Swap } from "@geoswap/core/promise"
import { plain, type Scenario } from "../faults/crash/scenarios.js"
import { type Ended, patiently, plan, type Plan, sign, type Signed } from "../faults/crash/swap.js"
import { scenarioOf } from "./expiry.js"
import type { Shape as Fixture } from "./fixture.js"

/** Longer than two replicas can be down, one after the other. */
const maxWaitMillis = 600_000

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

export const planAll = async (fixture: Fixture, scenarios: ReadonlyArray<Scenario>): Promise<ReadonlyArray<Plan>> => {
  const plans: Array<Plan> = []
  for (const scenario of scenarios) plans.push(await plan(fixture, scenario))
  return plans
}

const isExpired = (error: unknown): boolean => isSwapError(error) && error._tag === "Expired"

/** Signs a swap, with retries; quotes again if a slow machine builds too late. */
const signInTime = async (fixture: Fixture, plan: Plan): Promise<Signed> => {
  for (;;) {
    try {
      return await patiently(() => sign(fixture, plan), maxWaitMillis)
    } catch (error) {
      if (!isExpired(error)) throw error
    }
  }
}

export const signAll = (fixture: Fixture, plans: ReadonlyArray<Plan>): Promise<ReadonlyArray<Signed>> =>
  Promise.all(plans.map((each) => signInTime(fixture, each)))

export const submit = ({ client }: Pick<Fixture, "client">, { submission }: Signed): Promise<Swap> =>
  patiently(() => client.submit(submission), maxWaitMillis)

/** Follows a swap to its end. */
const ended = async (fixture: Fixture, swapId: string): Promise<Swap> => {
  const end = Date.now() + maxWaitMillis
  for (;;) {
    const swap = await patiently(() => fixture.client.status(swapId), maxWaitMillis)
    if (swap.status !== "pending") return swap
    if (Date.now() > end) {
      const logs = fixture.replicas.map(({ host }) => host.server().log())
      throw new Error(`Swap ${swapId} does not end.\n${logs.join("\n\n")}`)
    }
  }
}

/** Submits a swap, follows it to its end, and submits it again. */
export const finish = async (fixture: Fixture, signed: Signed): Promise<Ended> => {
  const first = await submit(fixture, signed)
  const swap = await ended(fixture, first.swapId)
  const again = await submit(fixture, signed)
  const scenario = await scenarioOf(fixture, { ...signed, swap })
  return { ...signed, scenario, swap, ids: new Set([first.swapId, swap.swapId, again.swapId]) }
}

/**
 * Submits a swap that many times at once. Returns what was signed and all ids. Signs again if every response is that the
 * operation expired: then nothing was accepted.
 */
const accepted = async (fixture: Fixture, plan: Plan, times: number) => {
  for (;;) {
    const signed = await signInTime(fixture, plan)
    const answers = await Promise.allSettled(Array.from({ length: times }, () => submit(fixture, signed)))
    for (const answer of answers) {
      if (answer.status === "rejected" && !isExpired(answer.reason)) throw answer.reason
    }
    const ids = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.swapId] : []))
    if (ids.length > 0) return { signed, ids }
  }
}

/** A whole swap of a caller that swaps again if the operation expires. Returns all accepted swaps. */
export const swap = async (fixture: Fixture, plan: Plan, times = 1): Promise<ReadonlyArray<Ended>> => {
  const all: Array<Ended> = []
  for (;;) {
    const { ids, signed } = await accepted(fixture, plan, times)
    const end = await finish(fixture, signed)
    all.push({ ...end, ids: new Set([...ids, ...end.ids]) })
    if (end.scenario === plan.scenario) return all
  }
}

/** A slow machine with all swaps at once answers none of them in time. */
const atOnce = 20

/** Executes all swaps, each with that many submits at once. */
export const swapAll = async (
  fixture: Fixture,
  plans: ReadonlyArray<Plan>,
  times: number
): Promise<ReadonlyArray<Ended>> => {
  const left = [...plans]
  const all: Array<Ended> = []
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      all.push(...(await swap(fixture, next, times)))
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return all
}
