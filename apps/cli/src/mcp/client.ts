/** The client of the tools. The wallet's policy applies to everything that it signs, and the history records its swaps. */
import { Chain, Client, Quote, Store, type Swap, type SwapEvent } from "@geoswap/core"
import { type ToolClient, ToolError } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { AgentPolicy, type WalletPolicy } from "../agent/AgentPolicy.js"
import { Directory } from "../chains/Directory.js"
import type { Settings } from "../config/Settings.js"
import { quoteArgument } from "../output/shellQuote.js"
import * as Session from "../service/Session.js"
import { withAmountsInTokens } from "../swap/amountsInErrors.js"
import * as History from "../swap/History.js"
import { LocalStore } from "../swap/stateFiles.js"
import type { Services } from "./backend.js"

/** Runs an effect with the services of the server. */
export type Run = <A, E>(effect: Effect.Effect<A, E, Services | Directory>, signal?: AbortSignal) => Promise<A>

/** Records a swap in the history. If the history cannot be written, the swap continues. */
const record = Effect.fnUntraced(function* (swap: Swap.Swap, origin: History.Origin | undefined) {
  const known = yield* Effect.orElseSucceed(History.find(swap.swapId), () => undefined)
  // A repeated call has no flow. It records a swap that an earlier call could not record.
  const details = origin?.flowId === undefined ? (known ?? origin) : origin
  if (details !== undefined) yield* Effect.ignore(History.write(yield* History.entryOf(swap, details)))
})

/** Returns a swap, once it is recorded if it was started on this machine. */
const recorded = <E, R>(reading: Effect.Effect<Swap.Swap, E, R>) =>
  Effect.tap(reading, (swap) => record(swap, undefined))

/** A token of a request, as the user has pinned it. */
const pinned = ({ chains }: Directory, chainId: number, address: string) => {
  const chain = chains.find(({ id }) => id === chainId)
  const token = chain?.tokens.find((one) => Chain.sameAddress(chain.kind, one.address, address))
  return chain && token && { chain, token }
}

/** Executes a request within the wallet's policy. The rules of the configuration can only narrow it. */
const execute = Effect.fnUntraced(function* (
  wallet: WalletPolicy,
  input: Parameters<ToolClient["execute"]>[0],
  options: Parameters<ToolClient["execute"]>[1]
) {
  const { idempotencyKey, minOutput, onProgress, timeout } = { ...options }
  const directory = yield* Directory
  const context = yield* Effect.context<Directory | Settings>()
  let origin: History.Origin = {
    createdAt: Date.now(),
    request: yield* Quote.request({ ...input, walletAddress: wallet.address }),
    output: 0n
  }
  const listen = Effect.fnUntraced(function* (event: SwapEvent.SwapEvent) {
    if (event.type === "quoted" || event.type === "requoted") origin = { ...origin, output: event.quote.output }
    if ("flowId" in event) origin = { ...origin, flowId: event.flowId }
    if (event.type === "submitted" || event.type === "done") yield* record(event.swap, origin)
    onProgress?.(event)
  })
  const limits = yield* Session.policyOf
  const program = Client.execute(input, {
    idempotencyKey,
    minOutput,
    timeout,
    onProgress: (event) => Effect.provideContext(listen(event), context)
  }).pipe(Effect.provide(wallet.layer({ originChain: input.originChain, limits })))
  const tokens = {
    origin: pinned(directory, input.originChain, input.inputToken),
    destination: pinned(directory, input.destinationChain, input.outputToken)
  }
  const { destination, origin: from } = tokens
  if (from === undefined || destination === undefined) return yield* program
  return yield* Effect.mapError(program, withAmountsInTokens({ origin: from, destination }))
})

/** Opens the wallet that signed a flow. */
const walletOf = Effect.fnUntraced(function* ({ id, request: { originChain, walletAddress } }: Store.Flow) {
  const family = (yield* Directory).familyOf(originChain)
  const wallet = yield* (yield* AgentPolicy).wallet(family)
  if (Chain.sameAddress(family, wallet.address, walletAddress)) return wallet
  return yield* Effect.fail(
    new ToolError({
      code: "OTHER_WALLET",
      message: `This swap belongs to another wallet. This server uses ${wallet.address}.`,
      nextStep: `Ask the user to run "geoswap resume ${quoteArgument(id)}" in a terminal.`
    })
  )
})

const busy = new ToolError({
  code: "BUSY",
  message: "Another process is working on this swap.",
  nextStep: "Wait a minute, and then call get_swap or list_swaps."
})

/** Resumes a flow of the wallet. Only one process at a time submits it again. */
const resume = Effect.fnUntraced(function* (flowId: string, options: Parameters<ToolClient["resume"]>[1]) {
  const { onProgress, timeout } = { ...options }
  const local = yield* LocalStore
  const flow = yield* local.find(flowId)
  const context = yield* Effect.context<Directory | Settings>()
  if (flow === undefined) return yield* Client.resume(flowId)
  const wallet = yield* walletOf(flow)
  if (flow.swapId === undefined && !(yield* local.store.claim(flow))) return yield* Effect.fail(busy)
  const { createdAt, output, request } = flow
  const origin: History.Origin = { flowId, createdAt, output, request }
  const listen = Effect.fnUntraced(function* (event: SwapEvent.SwapEvent) {
    if (event.type === "submitted" || event.type === "done") yield* record(event.swap, origin)
    onProgress?.(event)
  })
  return yield* Client.resume(flowId, {
    timeout,
    onProgress: (event) => Effect.provideContext(listen(event), context)
  }).pipe(Effect.provide(wallet.layer({ originChain: request.originChain })))
})

/** Creates the client. Without a wallet, it signs nothing new. */
export const clientOf = (run: Run, wallet: WalletPolicy | undefined): Omit<ToolClient, "rules"> => {
  const signs = wallet === undefined ? Effect.die(new Error("This client signs nothing.")) : Effect.succeed(wallet)
  return {
    chains: ({ signal } = {}) => run(Client.chains(), signal),
    quote: (input, { signal } = {}) => run(Client.quote(input), signal),
    indicativeQuote: (input, { signal } = {}) => run(Client.indicativeQuote(input), signal),
    delegation: (query, { signal } = {}) => run(Client.delegation(query), signal),
    status: (swapId, { signal } = {}) => run(recorded(Client.status(swapId)), signal),
    watch: (swapId, { signal, timeout } = {}) => watch(run, swapId, timeout, signal),
    pending: ({ signal } = {}) =>
      run(
        Effect.flatMap(Store.Store, ({ flows }) => flows),
        signal
      ),
    execute: (input, options) =>
      run(
        Effect.flatMap(signs, (opened) => execute(opened, input, options)),
        options?.signal
      ),
    resume: (flowId, options) => run(resume(flowId, options), options?.signal),
    undelegate: (input, options) =>
      run(
        Effect.flatMap(signs, (opened) =>
          Effect.provide(
            Client.undelegate({ ...input, walletAddress: opened.address }),
            opened.layer({ originChain: input.chainId })
          )
        ),
        options?.signal
      )
  }
}

/** Iterates over the statuses of a swap. */
async function* watch(run: Run, swapId: string, timeout: number | undefined, signal: AbortSignal | undefined) {
  const seen: Array<Swap.Swap> = []
  let wake = () => {}
  const watching = Client.watch(swapId, { timeout }).pipe(
    Stream.tap((swap) => record(swap, undefined)),
    Stream.runForEach((swap) =>
      Effect.sync(() => {
        seen.push(swap)
        wake()
      })
    )
  )
  let ended = false
  const running = run(watching, signal).finally(() => {
    ended = true
    wake()
  })
  running.catch(() => undefined)
  for (;;) {
    for (let next = seen.shift(); next !== undefined; next = seen.shift()) yield next
    if (ended) break
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  await running
}
