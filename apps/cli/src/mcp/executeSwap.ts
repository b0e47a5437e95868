/** Executes a swap within the wallet's policy, once for each idempotency key. */
import { randomUUID } from "node:crypto"
import { Client, type Quote } from "@geoswap/core"
import {
  type Call,
  type ExecuteOrder,
  keyFor,
  type Names,
  ordersRecord,
  progressOf,
  resolveChain
} from "@geoswap/tools"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { AgentPolicy, type ApprovalNeeded, type WalletPolicy } from "../agent/AgentPolicy.js"
import { type ChainToken, Directory } from "../chains/Directory.js"
import type { Settings } from "../config/Settings.js"
import * as Session from "../service/Session.js"
import { withAmountsInTokens } from "../swap/amountsInErrors.js"
import * as History from "../swap/History.js"
import { FileJournal } from "../swap/stateFiles.js"
import { names, policyNames } from "./names.js"
import { pendingEntry, record, seconds } from "./readSwaps.js"
import { RunningKeys } from "./RunningKeys.js"
import { inputOf, parseAmount, type Resolved, resolveOrder, slippageOf } from "./resolveOrder.js"
import { entryView } from "./swapView.js"
import { attempt, fail } from "./toolError.js"

/** Asks a person to approve a swap in the client, if the client and the policy allow that. */
export type Elicit = (needed: ApprovalNeeded, names: Names) => Effect.Effect<boolean>

/** The key of a call without one: the same order within the window has the same key, in all processes. */
const automaticKey = Effect.fnUntraced(function* (wallet: WalletPolicy, parts: ReadonlyArray<string>) {
  const journal = yield* FileJournal
  const store = yield* wallet.store
  const { unfinished } = yield* journal.contents
  const keys = new Set(unfinished.flatMap(({ flow }) => flow.idempotencyKey ?? []))
  const change = keyFor({
    parts,
    fresh: randomUUID(),
    now: yield* Clock.currentTimeMillis,
    unfinished: (key) => keys.has(key)
  })
  return yield* store.update(ordersRecord, (before) => [...change(before)])
})

/** A token of the policy, in the form that other commands use. */
const listedToken = ({ chains: listed }: Directory, { chain, token }: Resolved["from"]): ChainToken => {
  const found = listed.find(({ id }) => id === chain.id)
  // Names are resolved only among the chains of the directory.
  if (found === undefined) throw new Error(`Chain ${chain.id} is unknown.`)
  const { address, decimals, symbol } = token
  return { chain: found, token: { pinned: true, symbol, address, decimals, native: false } }
}

/** Executes an order. */
export const execute = Effect.fnUntraced(function* (order: ExecuteOrder, call: Call, elicit: Elicit) {
  const directory = yield* Directory
  const everything = yield* names
  const origin = yield* attempt(() => resolveChain(everything, order.from.slice(order.from.lastIndexOf("@") + 1)))
  const wallet = yield* (yield* AgentPolicy).wallet(origin.kind)
  const rules = yield* wallet.rules
  const known = policyNames(directory, rules)
  const resolved = yield* resolveOrder(order, known)
  const least =
    order.minOutput === undefined
      ? undefined
      : yield* parseAmount(order.minOutput, resolved.to.token.decimals, "minOutput")
  const recipient = resolved.recipient ?? wallet.address
  const input = { ...inputOf({ ...resolved, recipient }, slippageOf(order, rules)), walletAddress: wallet.address }
  const parts = Object.values({ ...input, least }).map(String)
  const idempotencyKey = order.idempotencyKey ?? (yield* automaticKey(wallet, parts))

  // The rules of the configuration can only narrow the policy.
  const limits = yield* Session.policyOf
  const context = yield* Effect.context<Directory | Settings>()
  const startedAt = yield* Clock.currentTimeMillis
  let [started, signed] = [false, false]
  let flow: History.Origin | undefined
  let quoted: { readonly request: Quote.QuoteRequest; readonly output: bigint } | undefined
  const program = Client.execute(input, {
    idempotencyKey,
    minOutput: least,
    timeout: seconds(order.waitSeconds),
    onProgress: (event) =>
      Effect.gen(function* () {
        started = true
        if (event.type === "quoted") quoted = { request: event.request, output: event.quote.output }
        if (event.type === "requoted" && quoted) quoted = { ...quoted, output: event.quote.output }
        if (event.type === "signed") signed = true
        if ("flowId" in event && quoted) flow = { ...quoted, flowId: event.flowId, createdAt: startedAt }
        if (event.type === "submitted" || event.type === "done") {
          const earlier = yield* Effect.catch(History.find(event.swap.swapId), () => Effect.succeed(undefined))
          yield* record(yield* History.entryOf(event.swap, flow ?? earlier))
        }
        call.onProgress(progressOf(event))
      }).pipe(Effect.provideContext(context))
  }).pipe(Effect.provide(wallet.layer({ originChain: origin.id, limits })))
  // A server that was killed holds the key for up to a minute. Nothing has happened in this call until its first event.
  const stalled = Effect.flatMap(Effect.sleep(seconds(Math.max(30, order.waitSeconds))), () =>
    started
      ? Effect.never
      : fail(
          "IN_PROGRESS",
          "Another call, or a server that stopped, is working on the same swap. This call did nothing.",
          "Wait a minute, and then call execute_swap again with the same arguments and the same idempotencyKey."
        )
  )
  const entryOf = (swapId: string, run: Effect.Effect<History.Entry, never, Directory>) =>
    Effect.map(run, (entry) => ({ swap: entryView(known, { ...entry, swapId }), idempotencyKey, repeated: !signed }))
  const attemptSwap = Effect.gen(function* () {
    const swap = yield* Effect.raceFirst(program, stalled)
    const earlier = yield* Effect.catch(History.find(swap.swapId), () => Effect.succeed(undefined))
    return yield* entryOf(swap.swapId, History.entryOf(swap, flow ?? earlier))
  }).pipe(
    Effect.catchTag("WaitTimeout", ({ swapId }) =>
      Effect.flatMap(pendingEntry(swapId), (entry) => entryOf(swapId, Effect.succeed(entry)))
    )
  )
  const attemptOrAsk = Effect.catch(attemptSwap, (error) =>
    Effect.flatMap(wallet.approvalNeeded(error), (needed) => Effect.fail(needed ?? error))
  )
  const approved = Effect.catchTag(attemptOrAsk, "ApprovalNeeded", (needed) =>
    Effect.gen(function* () {
      if (!rules.elicitation || !(yield* elicit(needed, known))) return yield* Effect.fail(needed)
      yield* wallet.approveByElicitation(needed.approvalId)
      return yield* attemptOrAsk
    })
  )
  const tokens = { origin: listedToken(directory, resolved.from), destination: listedToken(directory, resolved.to) }
  const { during } = yield* RunningKeys
  return yield* during(idempotencyKey, Effect.mapError(approved, withAmountsInTokens(tokens, resolved.amount)))
})
