/** Signs transactions with a relayer's next nonce, and stores them before they are broadcast: for one swap, or for several. */
import * as Effect from "effect/Effect"
import type { Chain, CombinedDraft, Relayers } from "../chains/Chains.js"
import { countItems } from "../metrics/countItems.js"
import type { Kind, State, SwapRecord } from "../store/SwapRecord.js"
import type { Job, Jobs, Results } from "./batchQueue.js"
import { chainFor } from "./jobs.js"
import { afterChange, beforeChange, change, type StepError, type Worker } from "./stepActions.js"

/** The maximum number of retries if another process keeps taking the nonce first. After that, the step fails. */
const nonceTries = 50

/** The state from which a job's first transaction is signed. Only a first transaction can be a batch. */
const firstFrom: Readonly<Record<Kind, State>> = {
  collect: "accepted",
  deliver: "origin_final",
  refund: "refund_prepared"
}

/** Retries with the next nonce if another process, which signs with the same key, took the nonce first. */
const retryNonce = <A, E extends StepError>(write: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.retry(write, {
    while: (error) => error._tag === "Conflict" && error.nonce === true,
    times: nonceTries
  })

type Signing = Pick<Worker, "lanes" | "owner" | "queue" | "signals" | "store">

const storeAlone = (
  worker: Signing,
  chain: Chain,
  { detail, draft, kind, swap, to }: Job
): Effect.Effect<SwapRecord, StepError> => {
  const { lanes, queue, store } = worker
  const { relayer } = draft
  const write = (nonce: number | undefined) =>
    Effect.flatMap(chain.sign(draft, nonce), (attempt) =>
      change(worker, swap, to, `${detail}: ${attempt.hash}`, {
        intent: { kind, chainId: chain.id, signer: relayer, attempt }
      })
    )
  const writing =
    chain.family === "evm"
      ? Effect.andThen(
          queue.began(chain, relayer, [swap.id]),
          lanes.withNonce(chain.id, relayer)(retryNonce(Effect.flatMap(store.nextNonce(chain.id, relayer), write)))
        )
      : write(undefined)
  return writing.pipe(
    Effect.onError(() => Effect.sync(() => queue.landed(swap.id))),
    Effect.tap(() => countItems(chain.id, kind, 1))
  )
}

/** Signs one transaction for several swaps and stores it for all of them, or for none. */
const storeBatch = (worker: Signing, chain: Chain, { plan, relayer }: CombinedDraft, jobs: Jobs) => {
  const { lanes, owner, queue, store } = worker
  const [{ kind }] = jobs
  const ids = jobs.map(({ swap }) => swap.id)
  const write = Effect.gen(function* () {
    const nonce = chain.family === "evm" ? yield* store.nextNonce(chain.id, relayer) : undefined
    const attempt = yield* chain.sign({ plan, relayer }, nonce)
    const items = jobs.map(({ detail, swap, to }) => ({
      swap,
      owner,
      to,
      detail: `${detail} in a batch of ${jobs.length} swaps: ${attempt.hash}`
    }))
    const changed = yield* store.batches.write(items, { kind, chainId: chain.id, signer: relayer, attempt })
    for (const [index, item] of items.entries()) {
      yield* afterChange(worker, item.swap, item.to, item.detail, changed[index]?.version ?? 0)
    }
    return changed
  })
  return queue.began(chain, relayer, ids).pipe(
    Effect.andThen(Effect.forEach(jobs, ({ swap, to }) => beforeChange(swap, to), { discard: true })),
    Effect.andThen(lanes.withNonce(chain.id, relayer)(retryNonce(write))),
    Effect.onError(() => Effect.sync(() => ids.forEach(queue.landed))),
    Effect.tap(() => countItems(chain.id, kind, jobs.length))
  )
}

/** Returns an order that begins with a relayer. */
const startingWith = (best: string, relayers: Relayers): Relayers => [
  best,
  ...relayers.filter((relayer) => relayer !== best)
]

/** Returns an order that begins with an idle relayer, if possible with the one that was chosen for the first job. */
const idleFirst = (relayers: Relayers, chosen: string, isIdle: (relayer: string) => boolean): Relayers => {
  const order = relayers.includes(chosen) ? startingWith(chosen, relayers) : relayers
  return startingWith(order.find(isIdle) ?? order[0], order)
}

/**
 * Signs and stores a transaction for as many of the jobs as one transaction can do, and returns their results. If one of
 * the swaps has changed, returns only that, so that the others are tried without it.
 */
export const storeTogether = (
  worker: Signing,
  chain: Chain,
  jobs: Jobs,
  isIdle: (relayer: string) => boolean
): Effect.Effect<Results> => {
  const [first, ...others] = jobs
  const store = Effect.gen(function* (): Effect.fn.Return<Results, StepError> {
    const relayers = idleFirst(yield* worker.lanes.order(chain, false), first.draft.relayer, isIdle)
    const result = yield* Effect.result(chain.combine([first.draft, ...others.map(({ draft }) => draft)], relayers))
    // The first job fails, for example because no relayer can pay for it. The others are tried without it.
    if (result._tag === "Failure") return new Map([[first.swap.id, Effect.fail(result.failure)]])
    const combined = result.success
    const { count, plan, relayer } = combined
    if (count === 1) {
      // The relayer is busy from now on. The swap itself stores the transaction, as if there were no queue.
      yield* worker.queue.began(chain, relayer, [first.swap.id])
      return new Map([
        [first.swap.id, storeAlone(worker, chain, { ...first, draft: { ...first.draft, plan, relayer } })]
      ])
    }
    const taken: Jobs = [first, ...others.slice(0, count - 1)]
    return yield* storeBatch(worker, chain, combined, taken).pipe(
      Effect.map((swaps): Results => new Map(swaps.map((swap) => [swap.id, Effect.succeed(swap)]))),
      Effect.catchTag("Conflict", (error) =>
        error.swapId === undefined ? Effect.fail(error) : Effect.succeed(new Map([[error.swapId, Effect.fail(error)]]))
      )
    )
  })
  return Effect.catchCause(store, (cause) =>
    Effect.succeed(new Map(jobs.map(({ swap }) => [swap.id, Effect.failCause(cause)])))
  )
}

/**
 * Signs a transaction with the relayer's next nonce and stores it before it is broadcast. Other swaps may share the
 * transaction, unless `isAlone` is set.
 */
export const signAndStore = (worker: Worker, job: Job, isAlone = false): Effect.Effect<SwapRecord, StepError> => {
  const { draft, kind, swap } = job
  const chain = chainFor(worker.directory.chains, swap, kind)
  return draft.shares !== undefined && !isAlone && swap.state === firstFrom[kind]
    ? worker.queue.join(chain, job)
    : storeAlone(worker, chain, job)
}
