/** Signs transactions with a relayer's next nonce, and stores them before they are broadcast: for one swap, or for several. */
import * as Effect from "effect/Effect"
import type { Chain } from "../../chains/Chains.js"
import { type CombinedDraft, type Draft, nothingPending, type Relayers } from "../../chains/Draft.js"
import type { Kind, State, SwapRecord } from "../../domain/SwapRecord.js"
import { countItems } from "../../metrics/countItems.js"
import type { StepError } from "../steps/Step.js"
import { afterChange, beforeChange, change } from "../steps/stepActions.js"
import { chainFor } from "../steps/swapJobs.js"
import type { Worker } from "../Worker.js"
import type { Job, Jobs, Results } from "./batchQueue.js"
import type { Signing } from "./chooseRelayer.js"

/** The state from which a job's first transaction is signed. Only a first transaction can be a batch. */
const firstFrom: Readonly<Record<Kind, State>> = {
  collect: "accepted",
  deliver: "origin_final",
  refund: "refund_prepared"
}

type Signer = Pick<Worker, "lanes" | "owner" | "queue" | "signals" | "store">

/** Runs an effect that signs a transaction. On Solana, there are no nonces, and what cannot be paid for blocks nothing. */
const signing = <A>(
  { lanes }: Signer,
  chain: Chain,
  sign: (signing: Signing<number | undefined>) => Effect.Effect<A, StepError>
): Effect.Effect<A, StepError> =>
  chain.family === "evm"
    ? lanes.signing(chain, sign)
    : sign({ pending: nothingPending, withNonce: (_, store) => store(undefined) })

/** Returns an order that begins with a relayer. */
const startingWith = (best: string, relayers: Relayers): Relayers => [
  best,
  ...relayers.filter((relayer) => relayer !== best)
]

/** Returns an order that begins with the relayer of a draft, unless that relayer has been retired since. */
const preferring = ({ relayer }: Draft, relayers: Relayers): Relayers =>
  relayers.includes(relayer) ? startingWith(relayer, relayers) : relayers

const storeAlone = (
  worker: Signer,
  chain: Chain,
  { detail, draft, kind, swap, to }: Job
): Effect.Effect<SwapRecord, StepError> => {
  const { lanes, queue } = worker
  return signing(worker, chain, ({ pending, withNonce }) =>
    Effect.gen(function* () {
      const relayers = preferring(draft, yield* lanes.order(chain, false))
      const { plan, relayer } = yield* chain.combine([draft], relayers, pending)
      if (chain.family === "evm") yield* queue.began(chain, relayer, [swap.id])
      return yield* withNonce(relayer, (nonce) =>
        Effect.flatMap(chain.sign({ plan, relayer }, nonce), (attempt) =>
          change(worker, swap, to, `${detail}: ${attempt.hash}`, {
            intent: { kind, chainId: chain.id, signer: relayer, attempt }
          })
        )
      )
    })
  ).pipe(
    Effect.onError(() => Effect.sync(() => queue.landed(swap.id))),
    Effect.tap(() => countItems(chain.id, kind, 1))
  )
}

/** Signs one transaction for several swaps and stores it for all of them, or for none. */
const storeBatch = (
  worker: Signer,
  chain: Chain,
  { plan, relayer }: CombinedDraft,
  jobs: Jobs,
  withNonce: Signing<number | undefined>["withNonce"]
) => {
  const { owner, queue, store } = worker
  const [{ kind }] = jobs
  const ids = jobs.map(({ swap }) => swap.id)
  const write = Effect.fnUntraced(function* (nonce: number | undefined) {
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
    Effect.andThen(withNonce(relayer, write)),
    Effect.onError(() => Effect.sync(() => ids.forEach(queue.landed))),
    Effect.tap(() => countItems(chain.id, kind, jobs.length))
  )
}

/** Returns an order that begins with an idle relayer, if possible with the one that was chosen for the first job. */
const idleFirst = (relayers: Relayers, draft: Draft, isIdle: (relayer: string) => boolean): Relayers => {
  const order = preferring(draft, relayers)
  return startingWith(order.find(isIdle) ?? order[0], order)
}

/**
 * Signs and stores a transaction for as many of the jobs as one transaction can do, and returns their results. If one of
 * the swaps has changed, returns only that, so that the others are tried without it.
 */
export const storeTogether = (
  worker: Signer,
  chain: Chain,
  jobs: Jobs,
  isIdle: (relayer: string) => boolean
): Effect.Effect<Results> => {
  const [first, ...others] = jobs
  const store = Effect.fnUntraced(function* ({ pending, withNonce }: Signing<number | undefined>) {
    const relayers = idleFirst(yield* worker.lanes.order(chain, false), first.draft, isIdle)
    const drafts = [first.draft, ...others.map(({ draft }) => draft)] as const
    const result = yield* Effect.result(chain.combine(drafts, relayers, pending))
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
    return yield* storeBatch(worker, chain, combined, taken, withNonce).pipe(
      Effect.map((swaps): Results => new Map(swaps.map((swap) => [swap.id, Effect.succeed(swap)]))),
      Effect.catchTag("Conflict", (error) =>
        error.swapId === undefined ? Effect.fail(error) : Effect.succeed(new Map([[error.swapId, Effect.fail(error)]]))
      )
    )
  })
  return Effect.catchCause(signing(worker, chain, store), (cause) =>
    Effect.succeed(new Map(jobs.map(({ swap }) => [swap.id, Effect.failCause(cause)])))
  )
}

/**
 * Signs a transaction with the relayer's next nonce and stores it before it is broadcast. Other swaps may share the
 * transaction, unless `isAlone` is set.
 */
export const signAndStore = (worker: Worker, job: Job, isAlone = false): Effect.Effect<SwapRecord, StepError> => {
  const { draft, kind, swap } = job
  const chain = chainFor(worker, swap, kind)
  return draft.shares !== undefined && !isAlone && swap.state === firstFrom[kind]
    ? worker.queue.join(chain, job)
    : storeAlone(worker, chain, job)
}
