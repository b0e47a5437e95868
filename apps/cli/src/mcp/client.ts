/** The client of the tools. The wallet's policy applies to everything that it signs, and the history records its swaps. */
import { Chain, Client, Quote, Store } from "@geoswap/core"
import { type ToolClient, ToolError } from "@geoswap/tools"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { AgentPolicy, type WalletPolicy } from "../agent/AgentPolicy.js"
import { Directory, tokenAt } from "../chains/Directory.js"
import { quoteArgument } from "../output/shellQuote.js"
import * as Session from "../service/Session.js"
import { withAmountsInTokens } from "../swap/amountsInErrors.js"
import { recorder, update } from "../swap/record.js"
import { LocalStore } from "../swap/stateFiles.js"
import { originOf } from "../swap/unfinished/resume.js"
import type { Services } from "./backend.js"

/** Runs an effect with the services of the server. */
export type Run = <A, E>(effect: Effect.Effect<A, E, Services | Directory>, signal?: AbortSignal) => Promise<A>

/** A token of a request, as the user has pinned it. */
const pinned = ({ chains }: Directory, chainId: number, address: string) => {
  const chain = chains.find(({ id }) => id === chainId)
  const token = tokenAt(chain, address)
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
  const { follow } = yield* recorder({
    createdAt: yield* Clock.currentTimeMillis,
    request: yield* Quote.request({ ...input, walletAddress: wallet.address }),
    output: 0n
  })
  const limits = yield* Session.policyOf
  const program = Client.execute(input, {
    idempotencyKey,
    minOutput,
    timeout,
    onProgress: (event) => Effect.map(follow(event), () => onProgress?.(event))
  }).pipe(Effect.provide(wallet.layer({ originChain: input.originChain, limits })))
  const origin = pinned(directory, input.originChain, input.inputToken)
  const destination = pinned(directory, input.destinationChain, input.outputToken)
  return yield* origin && destination ? Effect.mapError(program, withAmountsInTokens({ origin, destination })) : program
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
  if (flow === undefined) return yield* Client.resume(flowId)
  const wallet = yield* walletOf(flow)
  const { follow } = yield* recorder(originOf(flow))
  return yield* Effect.gen(function* () {
    const store = yield* Store.Store
    if (flow.swapId === undefined && !(yield* store.claim(flow))) return yield* Effect.fail(busy)
    return yield* Client.resume(flowId, {
      timeout,
      onProgress: (event) => Effect.map(follow(event), () => onProgress?.(event))
    })
  }).pipe(Effect.provide(wallet.layer({ originChain: flow.request.originChain })))
})

/** Returns the wallet of a client that signs. */
export const required = (wallet: WalletPolicy | undefined) =>
  wallet === undefined ? Effect.die(new Error("This client signs nothing.")) : Effect.succeed(wallet)

/** Creates the client. Without a wallet, it signs nothing new. */
export const clientOf = (run: Run, wallet: WalletPolicy | undefined): Omit<ToolClient, "rules"> => {
  interface Options {
    readonly signal?: AbortSignal | undefined
  }
  const call =
    <I, O extends Options, A, E>(
      program: (input: I, options: O | undefined) => Effect.Effect<A, E, Services | Directory>
    ) =>
    (input: I, options?: O) =>
      run(program(input, options), options?.signal)
  const all =
    <A, E>(program: Effect.Effect<A, E, Services | Directory>) =>
    (options?: Options) =>
      run(program, options?.signal)
  const signing = required(wallet)
  return {
    chains: all(Client.chains()),
    quote: call((input) => Client.quote(input)),
    indicativeQuote: call((input) => Client.indicativeQuote(input)),
    delegation: call((query) => Client.delegation(query)),
    status: call((swapId) => Effect.tap(Client.status(swapId), (swap) => update(swap))),
    watch: (swapId, { signal, timeout } = {}) => watch(run, swapId, timeout, signal),
    pending: all(
      Effect.flatMap(LocalStore, ({ contents }) =>
        Effect.map(contents, ({ unfinished }) => unfinished.map(({ flow }) => flow))
      )
    ),
    execute: call((input, options) => Effect.flatMap(signing, (opened) => execute(opened, input, options))),
    resume: call(resume),
    undelegate: call((input) =>
      Effect.flatMap(signing, ({ address, layer }) =>
        Effect.provide(Client.undelegate({ ...input, walletAddress: address }), layer({ originChain: input.chainId }))
      )
    )
  }
}

/** Interrupts once a signal is aborted. */
const aborted = (signal: AbortSignal) =>
  Effect.callback<never>((resume) => {
    const stop = () => resume(Effect.interrupt)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })

/** Iterates over the statuses of a swap. */
async function* watch(run: Run, swapId: string, timeout: number | undefined, signal: AbortSignal | undefined) {
  const swaps = Stream.tap(Client.watch(swapId, { timeout }), (swap) => update(swap))
  yield* await run(Stream.toAsyncIterableEffect(signal ? Stream.interruptWhen(swaps, aborted(signal)) : swaps))
}
