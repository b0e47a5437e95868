/** What an `execute` holds in the ledger while it works: its idempotency key, where it was called with one. */
import * as Effect from "effect/Effect"
import { type Flow } from "../Journal.js"
import { type Entry, Ledger, type Shape } from "../Ledger.js"
import type { QuoteRequest } from "../Quote.js"
import type { Swap } from "../Swap.js"
import type { LedgerError } from "../SwapError.js"
import { keccak256 } from "./keccak.js"
import { noted } from "./patience.js"

/** Another `execute` took the key over before anything was signed here. */
export interface Lost {
  readonly _tag: "Lost"
}

/** A key in the hands of one `execute`. */
export interface Hold {
  readonly key?: string
  /** Moves the key to `signing`, once. From then on nobody takes it over. */
  readonly signing: (flowId: string) => Effect.Effect<void, LedgerError | Lost>
  /** Gives the key up. Only while nothing that was signed may be executed. */
  readonly free: Effect.Effect<void>
}

/** For an `execute` without a key. */
export const noHold: Hold = { signing: () => Effect.void, free: Effect.void }

/** For an `execute` that has claimed its key. */
export const holdOf = (ledger: Shape, { key, owner }: Entry): Hold => {
  let moved = false
  return {
    key,
    signing: (flowId) =>
      moved
        ? Effect.void
        : Effect.flatMap(
            ledger.advance(key, { owner, state: "claimed" }, { state: "signing", flowId }),
            (won): Effect.Effect<void, Lost> => {
              moved = won
              return won ? Effect.void : Effect.fail({ _tag: "Lost" })
            }
          ),
    free: noted(ledger.advance(key, { owner }, undefined))
  }
}

/** Changes the entry of a flow's key, where it has one and there is a ledger. */
const onKey = (flow: Flow, change: (ledger: Shape, key: string) => Effect.Effect<unknown, LedgerError>) =>
  Effect.flatMap(Ledger, (ledger) =>
    ledger && flow.idempotencyKey !== undefined ? noted(change(ledger, flow.idempotencyKey)) : Effect.void
  )

/** The service gave the swap of a flow an id. */
export const keyAccepted = (flow: Flow, { swapId }: Swap): Effect.Effect<void> =>
  onKey(flow, (ledger, key) => ledger.advance(key, { flowId: flow.id }, { state: "accepted", swapId }))

/** The swap of a flow has ended. */
export const keyEnded = (flow: Flow, { swapId, status }: Swap): Effect.Effect<void> =>
  onKey(flow, (ledger, key) => ledger.finish(key, { swapId, status }))

/** What was signed for a flow can never be executed: its key is free again. */
export const keyFreed = (flow: Flow): Effect.Effect<void> =>
  onKey(flow, (ledger, key) => ledger.advance(key, { flowId: flow.id }, undefined))

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
