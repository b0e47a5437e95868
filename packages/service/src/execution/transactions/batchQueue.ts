/**
 * The queue of jobs that can share a transaction. A chain with an idle relayer sends at once. Jobs that become ready while
 * all relayers are busy share the next transaction. The queue is only in memory: what it loses is prepared again.
 */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import type { Chain } from "../../chains/Chains.js"
import type { Draft } from "../../chains/Draft.js"
import type { Kind, State, SwapRecord } from "../../domain/SwapRecord.js"
import type { StepError } from "../steps/Step.js"
import { laneKey } from "./chooseRelayer.js"

/**
 * How many polls to wait for a transaction that is not in a block. A block usually takes fewer. On Solana, a transaction
 * that is dropped does not hold up later ones.
 */
const busyPolls = { evm: 15, solana: 5 } as const

/** How long a relayer is busy with a transaction that is not in a block, and how long a job waits. */
const longestMillis = (chain: Chain): number => {
  const millis = busyPolls[chain.family] * chain.pollMillis
  return chain.family === "evm" ? Math.min(chain.stuckAfterMillis, millis) : millis
}

/** A draft to be signed and stored, and the change to its swap. */
export interface Job {
  readonly swap: SwapRecord
  readonly kind: Kind
  readonly draft: Draft
  readonly to: State
  readonly detail: string
}

export type Jobs = readonly [Job, ...ReadonlyArray<Job>]

/**
 * The results by swap, for at least one job. The other jobs are tried again. A result is run by the caller that waits for
 * it.
 */
export type Results = ReadonlyMap<string, Effect.Effect<SwapRecord, StepError>>

export interface BatchQueue {
  /** Returns the changed swap once the job's transaction is stored, alone or with others. */
  readonly join: (chain: Chain, job: Job) => Effect.Effect<SwapRecord, StepError>
  /** Reports that a relayer is about to sign a transaction for these swaps. */
  readonly began: (chain: Chain, relayer: string, swapIds: ReadonlyArray<string>) => Effect.Effect<void>
  /** Reports that a swap's transaction is in a block, or that it is not watched anymore. */
  readonly landed: (swapId: string) => void
}

interface Waiting {
  readonly job: Job
  readonly resume: (result: Effect.Effect<SwapRecord, StepError>) => void
  /** The services of the caller. A batch belongs to the trace of its first swap. */
  readonly context: Context.Context<never>
  /** When the job is sent even if no relayer is idle. */
  readonly dueAt: number
  /** Whether the swap is no longer worked on. */
  isGone: boolean
}

/** The jobs of a chain. */
interface Queue {
  /** Oldest first. */
  waiting: Array<Waiting>
  isSending: boolean
  /** Completed when a relayer of the chain may have become idle, or when a job has joined. */
  change: Deferred.Deferred<void>
}

/** A transaction that keeps a relayer busy. */
interface Flight {
  readonly chainId: number
  readonly lane: string
  readonly until: number
}

/**
 * Creates a queue. `store` signs and stores a transaction for as many of the jobs as it can take, preferring the relayers
 * that `isIdle` accepts.
 */
export const make: (
  store: (chain: Chain, jobs: Jobs, isIdle: (relayer: string) => boolean) => Effect.Effect<Results>
) => Effect.Effect<BatchQueue, never, Scope.Scope> = Effect.fnUntraced(function* (store) {
  const run = yield* FiberSet.makeRuntime()
  const queues = new Map<number, Queue>()
  const flights = new Map<string, Flight>()

  const queueOf = (chain: Chain): Queue => {
    const queue = queues.get(chain.id) ?? { waiting: [], isSending: false, change: Deferred.makeUnsafe<void>() }
    queues.set(chain.id, queue)
    return queue
  }

  const changed = (queue: Queue | undefined): void => {
    if (queue !== undefined) Deferred.doneUnsafe(queue.change, Effect.void)
  }

  const landed = (swapId: string): void => {
    const flight = flights.get(swapId)
    if (flight === undefined) return
    // All swaps of the transaction.
    for (const [other, one] of flights) if (one === flight) flights.delete(other)
    changed(queues.get(flight.chainId))
  }

  /** When a relayer becomes idle even if its transactions are not in a block. */
  const idleAt = ({ id }: Chain, relayer: string): number => {
    const lane = laneKey(id, relayer)
    return Math.max(0, ...Array.from(flights.values(), (flight) => (flight.lane === lane ? flight.until : 0)))
  }

  /** The next jobs to send: the oldest job and others like it if a relayer is idle or the job is due, or a full batch. */
  const nextOf = (waiting: ReadonlyArray<Waiting>, { maxBatch }: Chain, isIdle: boolean, now: number) => {
    const groups = Object.values(Arr.groupBy(waiting, ({ job: { draft } }) => draft.shares ?? ""))
    const [oldest] = groups
    const isDue = isIdle || (oldest?.[0].dueAt ?? Infinity) <= now
    return (isDue ? oldest : groups.find(({ length }) => length >= maxBatch))?.slice(0, maxBatch)
  }

  /** Gives the callers their results. Returns the jobs that have none to the queue. */
  const resume = (queue: Queue, group: ReadonlyArray<Waiting>, exit: Exit.Exit<Results>): void => {
    const left: Array<Waiting> = []
    for (const one of group) {
      const result = Exit.isSuccess(exit) ? exit.value.get(one.job.swap.id) : Effect.failCause(exit.cause)
      if (one.isGone || Exit.isFailure(exit)) landed(one.job.swap.id)
      if (one.isGone) continue
      if (result === undefined) left.push(one)
      else one.resume(result)
    }
    queue.waiting = [...left, ...queue.waiting].toSorted((one, other) => one.dueAt - other.dueAt)
  }

  /** Sends jobs. Their callers get a result even if this is interrupted. */
  const send = (chain: Chain, queue: Queue, group: ReadonlyArray<Waiting>, now: number) => {
    const [first, ...others] = group
    if (first === undefined) return Effect.void
    const jobs: Jobs = [first.job, ...others.map(({ job }) => job)]
    return store(chain, jobs, (relayer) => idleAt(chain, relayer) <= now).pipe(
      Effect.provideContext(first.context),
      Effect.onExit((exit) => Effect.sync(() => resume(queue, group, exit))),
      Effect.exit
    )
  }

  const sendWaiting = Effect.fnUntraced(function* (chain: Chain, queue: Queue) {
    for (;;) {
      // More jobs may join in the rest of this turn of the event loop.
      yield* Effect.yieldNow
      queue.isSending = queue.waiting.length > 0
      if (!queue.isSending) return
      const now = yield* Clock.currentTimeMillis
      const idle = Math.min(...chain.relayers.map((relayer) => idleAt(chain, relayer)))
      const group = nextOf(queue.waiting, chain, idle <= now, now)
      if (group !== undefined) {
        const taken = new Set(group)
        queue.waiting = queue.waiting.filter((one) => !taken.has(one))
        yield* send(chain, queue, group, now)
        continue
      }
      queue.change = Deferred.makeUnsafe<void>()
      const until = Math.min(idle, ...queue.waiting.map(({ dueAt }) => dueAt))
      yield* Effect.timeoutOption(Deferred.await(queue.change), until - now)
    }
  })

  /** Sends all jobs of a chain. If this fails or is interrupted, so do the jobs, and the next job starts it again. */
  const sendAll = (chain: Chain, queue: Queue) =>
    Effect.onError(sendWaiting(chain, queue), (cause) =>
      Effect.sync(() => {
        queues.delete(chain.id)
        for (const one of queue.waiting) one.resume(Effect.failCause(cause))
      })
    )

  return {
    join: Effect.fnUntraced(function* (chain, job) {
      const dueAt = (yield* Clock.currentTimeMillis) + longestMillis(chain)
      const context = yield* Effect.context()
      return yield* Effect.callback<SwapRecord, StepError>((resume) => {
        const one: Waiting = { job, resume, context, dueAt, isGone: false }
        const queue = queueOf(chain)
        queue.waiting.push(one)
        changed(queue)
        if (!queue.isSending) {
          queue.isSending = true
          run(sendAll(chain, queue))
        }
        return Effect.sync(() => {
          one.isGone = true
          queue.waiting = queue.waiting.filter((other) => other !== one)
        })
      })
    }),
    began: Effect.fnUntraced(function* (chain, relayer, swapIds) {
      const until = (yield* Clock.currentTimeMillis) + longestMillis(chain)
      const flight = { chainId: chain.id, lane: laneKey(chain.id, relayer), until }
      for (const swapId of swapIds) flights.set(swapId, flight)
    }),
    landed
  }
})
