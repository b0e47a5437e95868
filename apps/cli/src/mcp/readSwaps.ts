/** Reads swaps: one swap, a swap until it has finished, and all swaps of the wallet. */
import { Chain, Client, type Journal } from "@geoswap/core"
import { type Call, sideView } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { AgentPolicy } from "../agent/AgentPolicy.js"
import { Directory } from "../chains/Directory.js"
import * as History from "../swap/History.js"
import { FileJournal } from "../swap/stateFiles.js"
import { closeIfFinal } from "../swap/unfinished/resume.js"
import { names } from "./names.js"
import { entryView } from "./swapView.js"
import { fail } from "./toolError.js"

/** Records a swap in the history. If the history cannot be written, the swap continues. */
export const record = (entry: History.Entry) => Effect.ignore(History.write(entry))

/** A swap that has not finished, with what is known of it. */
export const pendingEntry = Effect.fnUntraced(function* (swapId: string) {
  const known = yield* Effect.catch(History.find(swapId), () => Effect.succeed(undefined))
  return yield* History.entryOf({ swapId, status: "pending" }, known)
})

/** Converts seconds to milliseconds, at least one. */
export const seconds = (count: number): number => Math.max(1, count * 1000)

const showSwap = Effect.fnUntraced(function* (swap: Effect.Success<ReturnType<typeof Client.status>>) {
  const known = yield* Effect.catch(History.find(swap.swapId), () => Effect.succeed(undefined))
  const entry = yield* History.entryOf(swap, known)
  if (known !== undefined) yield* record(entry)
  return entryView(yield* names, entry)
})

/** Closes the flow of a finished swap, which confirms its status. */
const closeFlow = Effect.fnUntraced(function* (swapId: string) {
  const journal = yield* FileJournal
  const { unfinished } = yield* journal.contents
  const open = unfinished.find(({ flow }) => flow.swapId === swapId)
  if (open === undefined) return
  const wallet = yield* walletOf(open.flow)
  yield* Effect.provide(closeIfFinal(open.flow), wallet.layer({ originChain: open.flow.request.originChain }))
})

/** Opens the wallet that signed a flow. */
export const walletOf = Effect.fnUntraced(function* ({ id, request: { originChain, walletAddress } }: Journal.Flow) {
  const family = (yield* Directory).familyOf(originChain)
  const wallet = yield* (yield* AgentPolicy).wallet(family)
  if (Chain.sameAddress(family, wallet.address, walletAddress)) return wallet
  return yield* fail(
    "OTHER_WALLET",
    `This swap belongs to another wallet. This server uses ${wallet.address}.`,
    `Ask the user to run "geoswap resume ${id}" in a terminal.`
  )
})

/** Reads a swap. */
export const readSwap = Effect.fnUntraced(function* (swapId: string) {
  const swap = yield* Client.status(swapId)
  if (swap.status !== "pending") yield* Effect.ignore(closeFlow(swapId))
  return yield* showSwap(swap)
})

/** Reads a swap until it has finished, or for this many seconds. */
export const wait = Effect.fnUntraced(function* (swapId: string, duration: number, { onProgress }: Call) {
  const last = yield* Client.watch(swapId, { timeout: seconds(duration) }).pipe(
    Stream.tap((swap) => Effect.sync(() => onProgress({ stage: "status", swapId, status: swap.status }))),
    Stream.runLast,
    Effect.catchTag("WaitTimeout", () => Effect.succeed(Option.none()))
  )
  if (Option.isNone(last)) return entryView(yield* names, yield* pendingEntry(swapId))
  yield* Effect.ignore(closeFlow(swapId))
  return yield* showSwap(last.value)
})

/** Returns whether an address is one of this server's wallets. Other wallets of the user are no concern of the agent. */
const ownWallets = Effect.gen(function* () {
  const policies = yield* AgentPolicy
  const opened = yield* Effect.forEach(["evm", "solana"] as const, (family) => Effect.option(policies.wallet(family)))
  const wallets = opened.flatMap((wallet) => Option.toArray(wallet))
  return (address: string) => wallets.some((wallet) => Chain.sameAddress(wallet.family, wallet.address, address))
})

/** The swaps in the history, and the unfinished flows. */
export const swaps = Effect.fnUntraced(function* (limit: number) {
  const known = yield* names
  const isOwn = yield* ownWallets
  const { entries } = yield* History.read
  const { unfinished } = yield* (yield* FileJournal).contents
  return {
    swaps: entries
      .filter(({ wallet }) => wallet !== undefined && isOwn(wallet))
      .slice(0, limit)
      .map((entry) => entryView(known, entry)),
    unfinished: unfinished
      .filter(({ flow }) => isOwn(flow.request.walletAddress))
      .map(({ flow: { createdAt, id, request, swapId } }) => ({
        flowId: id,
        swapId,
        startedAt: new Date(createdAt).toISOString(),
        from: sideView(known, { chainId: request.originChain, token: request.inputToken, amount: request.amount })
      }))
  }
})
