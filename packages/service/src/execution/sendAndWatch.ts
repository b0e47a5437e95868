/** The life of a stored transaction: sent, watched, sent again, replaced, until it is done or dead. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Chain, Outcome } from "../chains/Chains.js"
import type { Kind, State, SwapRecord } from "../store/SwapRecord.js"
import { chainFor, jobOf } from "./jobs.js"
import { type StepResult, broadcast, change, continueNow, type StepError, type Step, type Worker } from "./worker.js"

type Hashes = "originTxHash" | "deliveryTxHash" | "refundTxHash"

const hashOf: Readonly<Record<Kind, Hashes>> = {
  collect: "originTxHash",
  deliver: "deliveryTxHash",
  refund: "refundTxHash"
}

/** From prepared to sent: everything that is stored goes out. */
export const send = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  kind: Kind,
  to: State
): Effect.fn.Return<StepResult, StepError> {
  const chain = chainFor(worker.directory.chains, swap, kind)
  const attempts = yield* worker.store.attempts(swap.id, kind)
  const newest = attempts.at(-1)
  if (newest !== undefined) yield* broadcast(worker, swap, kind, newest)
  return continueNow(yield* change(worker, swap, to, `${kind} was sent to chain ${chain.id}`))
})

/** What becomes of a transaction that was sent. */
export interface Watch {
  readonly kind: Kind
  /** Whether it should only be got out of the way by now. */
  readonly cancel: (chain: Chain) => Effect.Effect<boolean, StepError>
  readonly done: (outcome: Extract<Outcome, { readonly _tag: "Done" }>) => Step
  readonly dead: (outcome: Extract<Outcome, { readonly _tag: "Dead" }>) => Step
}

/** How long until a transaction that nobody has seen is sent once more. */
const rebroadcastMillis = 2_000

/** For this long, a node that does not show the block of a transaction may only be behind the one that did. */
const behindMillis = 5_000

/**
 * A collect that reverted in a block that is not final: nothing was paid, and the output is not reserved until finality. If
 * the block is undone and the input arrives after all, it is reserved again.
 */
const reverted = (worker: Worker, swap: SwapRecord, kind: Kind) =>
  kind === "collect" && swap.reserved
    ? change(worker, swap, swap.state, "collect reverted in a block that is not final: the output is not reserved", {
        releases: true
      })
    : Effect.succeed(swap)

/** Removes the block of a collect that no block includes any more: the input counts against the wallet's balance again. */
const excluded = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, kind: Kind) {
  if (kind !== "collect" || swap.originBlock === undefined) return swap
  if ((yield* Clock.currentTimeMillis) - swap.updatedAt < behindMillis) return swap
  return yield* change(worker, swap, swap.state, "collect is not in a block any more", { originBlock: null })
})

/** Looks at a transaction once, and helps it along. */
export const watch = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  { cancel, dead, done, kind }: Watch
): Effect.fn.Return<StepResult, StepError> {
  const chain = chainFor(worker.directory.chains, swap, kind)
  const job = jobOf(swap, kind)
  const attempts = yield* worker.store.attempts(swap.id, kind)
  const newest = attempts.at(-1)
  if (newest === undefined) return yield* Effect.die(`swap ${swap.id} has sent a ${kind} that is not stored`)
  const outcome = yield* chain.observe(job, attempts)
  const later = (next: SwapRecord): StepResult => ({ swap: next, waitMillis: chain.pollMillis })
  switch (outcome._tag) {
    case "Done":
      return yield* done(outcome)
    case "Dead":
      return yield* dead(outcome)
    case "Included": {
      if (!outcome.succeeded) return later(yield* reverted(worker, yield* excluded(worker, swap, kind), kind))
      const field = hashOf[kind]
      const originBlock = kind === "collect" ? outcome.block : swap.originBlock
      return swap[field] === outcome.hash && swap.originBlock === originBlock
        ? later(swap)
        : later(
            yield* change(worker, swap, swap.state, `${kind} is in a block that is not final yet: ${outcome.hash}`, {
              [field]: outcome.hash,
              originBlock
            })
          )
    }
    case "Waiting": {
      const attempt = yield* chain.replace(job, attempts, yield* cancel(chain))
      if (attempt !== undefined) {
        const what = attempt.cancels ? "is called off" : "is sent again with a higher fee"
        const changed = yield* change(worker, swap, swap.state, `${kind} ${what}: ${attempt.hash}`, {
          intent: { kind, chainId: chain.id, signer: chain.relayer, attempt }
        })
        yield* broadcast(worker, swap, kind, attempt)
        return later(changed)
      }
      // Nodes forget what waits, and after a crash nobody knows whether it was ever sent.
      const since = (yield* Clock.currentTimeMillis) - (worker.sentAt.get(swap.id) ?? 0)
      if (since >= rebroadcastMillis) yield* broadcast(worker, swap, kind, newest)
      return later(yield* excluded(worker, swap, kind))
    }
  }
})
