/** Runs swaps at once, with faults in their server and on the chains. */
import { expect } from "vitest"
import { elapse, make, until } from "../../stack/fixture.js"
import { sendVersion1 } from "../../stack/solana.js"
import { pause, pauseFirst, type Shape as Fixture } from "./fixture.js"
import { holdersIn, openBooks } from "./invariants.js"
import { occasionalSteps, type Scenario } from "./scenarios.js"
import type { Server } from "./serverProcess.js"
import { type Ended, finish, plan, type Plan, sign } from "./swap.js"

type Chain = Fixture["devnet"]["evmA" | "evmB" | "solana"]

/** Runs swaps to their end with `run`, and checks all invariants. */
export const settle = async (
  fixture: Fixture,
  scenarios: ReadonlyArray<Scenario>,
  run: (plans: ReadonlyArray<Plan>) => Promise<ReadonlyArray<Ended>>
): Promise<void> => {
  const plans: Array<Plan> = []
  for (const scenario of scenarios) plans.push(await plan(fixture, scenario))
  const close = await openBooks(fixture, plans)
  const ended = await run(plans)
  await close(ended)
  fixture.ended.push(...ended)
  for (const { free } of plans) free()
}

/** How many transactions are in the history of a wallet after its signature. */
const otherTransactions = 50

/** Signs all swaps, submits them at once, and applies their faults. */
const submitAll = async (fixture: Fixture, plans: ReadonlyArray<Plan>, whenSigned: () => Promise<void>) => {
  const { devnet, host, stoppable } = fixture
  const { evmA, solana } = devnet
  const faults = new Set(plans.map(({ scenario }) => scenario.fault))
  const signed = await Promise.all(plans.map((each) => sign(fixture, each)))
  for (const { wallet } of signed) {
    if (wallet.family === "solana") await sendVersion1(devnet, wallet.address, otherTransactions)
  }
  if (faults.has("blockhash expires")) await make(solana.expireBlockhashes)
  if (faults.has("token stops")) await make(evmA.hold)
  await whenSigned()
  const server = host.server()
  const since = server.lines.length
  const ends = Promise.all(signed.map((each) => finish(fixture, each)))
  if (!faults.has("token stops")) return { ends }
  await Promise.race([server.said(/^step after origin_sent$/, plans.length, since), ends])
  await pauseFirst(devnet, evmA, stoppable.FUSE)
  await make(evmA.release)
  const restored = async () => {
    const ended = await ends
    await pause(devnet, evmA, stoppable.FUSE, false)
    return ended
  }
  return { ends: restored() }
}

/** Runs swaps without faults and returns the checkpoints that they reach. */
export const record = async (fixture: Fixture, scenarios: ReadonlyArray<Scenario>): Promise<ReadonlySet<string>> => {
  const { lines } = fixture.host.server()
  const before = lines.length
  await settle(fixture, scenarios, async (plans) => {
    const { ends } = await submitAll(fixture, plans, () => Promise.resolve())
    return ends
  })
  const taken = lines.slice(before).filter((line) => line.startsWith("step "))
  return new Set(taken.map((line) => line.slice("step ".length)))
}

/** More blocks than any chain needs for finality. */
const enoughBlocks = 4

/** How many blocks a transaction needs before a swap reaches a checkpoint: one to be seen, and more to be final. */
const blocksFor = (step: string): number => (step.endsWith(" again") ? 1 : enoughBlocks)

/**
 * Mines one block on held chains once every swap has sent its transaction, and more once each was seen there: first
 * for collects, then for deliveries or refunds. Returns as soon as the server is dead.
 */
const blockByBlock = async (server: Server, chains: ReadonlyArray<Chain>, swaps: number, since: number) => {
  const mine = async (blocks: number) => {
    for (const chain of chains) await make<void, unknown>(chain.mine(blocks))
  }
  const isDeadBefore = (line: RegExp) =>
    Promise.any([server.death.then(() => true), server.said(line, swaps, since).then(() => false)])
  for (const state of ["origin_sent", "(delivery|refund)_sent"]) {
    if (await isDeadBefore(new RegExp(`^step after ${state}$`))) return
    await mine(1)
    if (await isDeadBefore(new RegExp(`^step after ${state} again$`))) return
    await mine(enoughBlocks)
  }
}

/** Starts the next server. On a file, it does not wait for killed ones; on PostgreSQL, it claims their swaps soon. */
const startAfterKill = async (fixture: Fixture): Promise<void> => {
  const dead = await holdersIn(fixture)
  const isFree = async () => (await holdersIn(fixture)).every((holder) => !dead.includes(holder))
  await fixture.expireLeases()
  await fixture.host.start()
  if (fixture.engine === "SQLite") expect(await isFree()).toBe(true)
  else await until(isFree)
}

/**
 * One swap whose server is killed at all of these checkpoints, one after the other. After the first kill, the chains of
 * the swap are held, and mine a block only when the next checkpoint needs it. Otherwise, the swap could skip checkpoints.
 */
export const dieAtEach = (fixture: Fixture, scenario: Scenario, steps: ReadonlyArray<string>): Promise<void> =>
  settle(fixture, [scenario], async (plans) => {
    const { devnet, host } = fixture
    const [origin, destination] = [devnet[scenario.origin], devnet[scenario.destination]]
    const { ends } = await submitAll(fixture, plans, () => host.arm(steps[0] ?? "", 1))
    try {
      for (const [index, step] of steps.entries()) {
        const died = await Promise.race([host.server().death, ends.then(() => undefined)])
        expect(died).toEqual({ code: null, signal: "SIGKILL", step })
        for (const { hold } of [origin, destination]) await make<void, unknown>(hold)
        const next = steps[index + 1]
        if (next === undefined) break
        const chain = / (delivery_|settled)/.test(next) ? destination : origin
        if (/(_sent again|_final|settled|refunded)$/.test(next)) await make<void, unknown>(chain.mine(blocksFor(next)))
        if (next.endsWith(" delivery_prepared")) await make<void, unknown>(origin.mine(enoughBlocks))
        await fixture.expireLeases()
        await host.begin(next)
      }
      await startAfterKill(fixture)
    } finally {
      // A failed test must not leave the chains held for the next one.
      for (const { release } of [origin, destination]) await make<void, unknown>(release)
    }
    return ends
  })

/**
 * Swaps whose server is killed when they reach a checkpoint, for the first or a later time, and restarted. A checkpoint
 * that needs a transaction seen before it is final needs held chains.
 */
export const dieAt = async (
  fixture: Fixture,
  scenarios: ReadonlyArray<Scenario>,
  step: string,
  occurrence: number
): Promise<void> => {
  const { devnet, host } = fixture
  const server = host.server()
  const isHeld = occasionalSteps.includes(step)
  const places = new Set(scenarios.flatMap(({ destination, origin }) => [origin, destination]))
  const chains = isHeld ? [...places].map((place) => devnet[place]) : []
  await settle(fixture, scenarios, async (plans) => {
    try {
      const since = server.lines.length
      const { ends } = await submitAll(fixture, plans, async () => {
        for (const { hold } of chains) await make<void, unknown>(hold)
        await host.arm(step, occurrence)
      })
      if (isHeld) await blockByBlock(server, chains, plans.length, since)
      const died = await Promise.race([server.death, ends.then(() => undefined)])
      expect(died).toEqual({ code: null, signal: "SIGKILL", step })
      await startAfterKill(fixture)
      for (const { release } of chains) await make<void, unknown>(release)
      return await ends
    } finally {
      // A failed test must not leave the chains held for the next one.
      for (const { release } of chains) await make<void, unknown>(release)
    }
  })
}

/** When to kill: how long after a server starts, or after it listens. */
export interface Moment {
  readonly after: "starts" | "listens on"
  readonly millis: number
}

/** Swaps whose servers are killed at random times, one after the other, also before the first submit. */
export const dieAtAnyTime = (
  fixture: Fixture,
  scenarios: ReadonlyArray<Scenario>,
  moments: ReadonlyArray<Moment>
): Promise<void> =>
  settle(fixture, scenarios, async (plans) => {
    const { host } = fixture
    const ends = Promise.all(plans.map(async (each) => finish(fixture, await sign(fixture, each))))
    const kills = async () => {
      for (const { after, millis } of moments) {
        await host.server().said(new RegExp(`^${after}`))
        await elapse(millis)
        const { code, signal } = await host.kill()
        expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" })
        await host.begin()
      }
    }
    const [ended] = await Promise.all([ends, kills()])
    await host.server().said(/^listens on /)
    return ended
  })
