/** What an `execute` holds in the ledger while it works: its idempotency key, where it was called with one. */
import * as Effect from "effect/Effect"
import { type Flow, Journal } from "../Journal.js"
import { type Entry, Ledger, type Shape } from "../Ledger.js"
import type { QuoteRequest } from "../Quote.js"
import { Settings } from "../Settings.js"
import type { Swap } from "../Swap.js"
import type { JournalError, LedgerError } from "../SwapError.js"
import { compact } from "./compact.js"
import { keccak256 } from "./keccak.js"
import { newName } from "./newName.js"
import { bounded } from "./patience.js"

/** The key is not what this `execute` made it any more: another one took it over, or closed its flow. */
export interface Lost {
  readonly _tag: "Lost"
}

/** A key in the hands of one `execute`. */
export interface Hold {
  readonly key?: string
  /** Counts signature `number` of a flow, before it is made. From the first one on, nobody takes the key over. */
  readonly signing: (flowId: string, number: number) => Effect.Effect<void, LedgerError | Lost>
  /**
   * Takes back the count of a signature that did not leave this process, and returns whether it could. It cannot if another
   * process has resumed the flow: the signature may have left there.
   */
  readonly unsigned: (flowId: string, number: number) => Effect.Effect<boolean>
  /** Gives the key up, and answers whether it was still held. Only while nothing that was signed may be executed. */
  readonly free: Effect.Effect<boolean>
}

/** For an `execute` without a key. */
export const noHold: Hold = {
  signing: () => Effect.void,
  unsigned: () => Effect.succeed(true),
  free: Effect.succeed(true)
}

/** The answer of the ledger, or `undefined` if it has none; the trace keeps the message. */
const answerOf = <A>(asking: Effect.Effect<A, LedgerError>): Effect.Effect<A | undefined> =>
  Effect.catch(bounded(asking), ({ message }) =>
    Effect.as(Effect.annotateCurrentSpan({ "ledger.error": message }), undefined)
  )

/** For an `execute` that has claimed its key. Only this one signs for its flow, so only this one changes the number. */
export const holdOf = (ledger: Shape, { key, owner }: Entry): Hold => {
  const signedBefore = (flowId: string, number: number) =>
    number === 0
      ? ({ owner, state: "claimed" } as const)
      : ({ owner, state: "signing", flowId, signatures: number } as const)
  return {
    key,
    signing: (flowId, number) =>
      Effect.flatMap(
        ledger.advance(key, signedBefore(flowId, number - 1), {
          state: "signing",
          flowId,
          signatures: number,
          resumed: false
        }),
        (won): Effect.Effect<void, Lost> => (won ? Effect.void : Effect.fail({ _tag: "Lost" }))
      ),
    unsigned: (flowId, number) =>
      Effect.map(
        answerOf(
          ledger.advance(
            key,
            { ...signedBefore(flowId, number), resumed: false },
            number === 1 ? { state: "claimed" } : { signatures: number - 1 }
          )
        ),
        (won) => won === true
      ),
    // What another process has found to be accepted or ended stays.
    free: Effect.map(
      answerOf(
        Effect.flatMap(ledger.advance(key, { owner, state: "claimed" }, undefined), (won) =>
          won ? Effect.succeed(true) : ledger.advance(key, { owner, state: "signing" }, undefined)
        )
      ),
      (won) => won === true
    )
  }
}

/**
 * What became of a change to a flow's key. `changed`: something else was signed for the flow since it was read, or its
 * swap has ended. `unknown`: the ledger did not answer.
 */
type Change = "done" | "changed" | "unknown"

/** Changes the entry of a flow's key, if the flow has a key and there is a ledger. */
const onKey = (
  { id, idempotencyKey: key }: Flow,
  change: (ledger: Shape, key: string) => Effect.Effect<boolean, LedgerError>,
  isDone: (entry: Entry) => boolean = () => false
): Effect.Effect<Change> =>
  Effect.flatMap(Ledger, (ledger) => {
    if (!ledger || key === undefined) return Effect.succeed("done")
    const changing = Effect.flatMap(change(ledger, key), (won) =>
      // A key that is not there, or stands for another flow by now, has nothing to do with this flow any more.
      won ? Effect.succeed(true) : Effect.map(ledger.get(key), (entry) => entry?.flowId !== id || isDone(entry))
    )
    return Effect.map(answerOf(changing), (done) => (done === undefined ? "unknown" : done ? "done" : "changed"))
  })

/** Moves the key of a flow whose swap has not ended, if it is as the flow says. */
const fromOpen =
  ({ id: flowId, signatures, swapId }: Flow, to: Parameters<Shape["advance"]>[2]) =>
  (ledger: Shape, key: string): Effect.Effect<boolean, LedgerError> =>
    Effect.flatMap(ledger.advance(key, compact({ state: "signing" as const, flowId, signatures }), to), (won) =>
      won
        ? Effect.succeed(true)
        : ledger.advance(key, compact({ state: "accepted" as const, flowId, signatures, swapId }), to)
    )

/**
 * Whether what was signed for a flow may be submitted. Says so in the entry of its key first, so that the process that
 * signed it does not take it back any more. A signature that was taken back is not submitted.
 */
export const keyResumed = Effect.fnUntraced(function* (
  flow: Flow
): Effect.fn.Return<boolean, LedgerError | JournalError, Journal> {
  const ledger = yield* Ledger
  const { id: flowId, idempotencyKey: key, signatures = 0 } = flow
  if (!ledger || key === undefined) return true
  const from = compact({ state: "signing" as const, flowId, signatures: flow.signatures })
  if (yield* ledger.advance(key, from, { resumed: true })) return true
  const entry = yield* ledger.get(key)
  if (entry) return entry.flowId === flowId && entry.state !== "claimed" && (entry.signatures ?? 0) >= signatures
  // The ledger has lost the key, or the flow was given up. In that case the journal lost the flow before.
  const owner = yield* newName
  const { claimLease: lease } = yield* Settings
  const claim = yield* ledger.claim({ key, requestHash: hashOf(flow.request), owner, lease })
  if (claim.owner !== owner) return false
  const isKept = (yield* (yield* Journal).get(flowId)) !== undefined
  const won = yield* ledger.advance(
    key,
    { owner, state: "claimed" },
    isKept ? compact({ ...from, resumed: true }) : undefined
  )
  return isKept && won
})

/** The service gave the swap of a flow an id. A key whose swap has ended stays as it is. */
export const keyAccepted = (flow: Flow, { swapId }: Swap): Effect.Effect<Change> =>
  onKey(flow, fromOpen({ ...flow, swapId }, { state: "accepted", swapId }), ({ state }) => state === "ended")

/** The swap of a flow has ended. */
export const keyEnded = (flow: Flow, { swapId, status }: Swap): Effect.Effect<Change> =>
  onKey(flow, (ledger, key) =>
    ledger.finish(key, compact({ flowId: flow.id, signatures: flow.signatures, swapId, status }))
  )

/** What was signed for a flow, as it was read, can never be executed: its key is free again. */
export const keyFreed = (flow: Flow): Effect.Effect<Change> => onKey(flow, fromOpen(flow, undefined))

const cased = (address: string): string => (address.startsWith("0x") ? address.toLowerCase() : address)

/** Tells two requests apart; what is written in two ways and means the same is the same. */
export const hashOf = ({ recipient, ...request }: QuoteRequest): string =>
  keccak256(
    JSON.stringify([
      request.originChain,
      request.destinationChain,
      cased(request.inputToken),
      cased(request.outputToken),
      `${request.amount}`,
      cased(request.walletAddress),
      cased(recipient ?? request.walletAddress),
      request.slippageBps ?? null
    ])
  )
