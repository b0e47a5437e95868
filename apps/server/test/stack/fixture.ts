/** A server behind proxies to its chains, for tests that inject faults. */
import type { Client, ExecuteInput, Swap, SwapEvent } from "@geoswap/core/promise"
import { Devnet, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import type { PrivateKeyAccount } from "viem"
import { clientOf, outputOf } from "./client.js"
import * as database from "./database.js"
import { newAddress, tokenOf } from "./evm.js"
import { type File, type Given, patienceMillis, type Running, serve } from "./stack.js"

/** The devnet, the server and the proxies of a test. */
export interface Setup {
  readonly devnet: Devnet.Devnet
  readonly running: Running
  /** Between the server and the nodes; tests use the nodes directly. */
  readonly nodes: { readonly evmA: Proxy.Proxy; readonly evmB: Proxy.Proxy; readonly solana: Proxy.Proxy }
}

/** The timeout of a test: far more than it needs, because the machine may be busy. */
export const timeout = 240_000

/** A change of the configuration, for example for contracts that a test deployed. */
export type Change = (file: File) => File

/** Changes every chain of a configuration. */
export const eachChain =
  (change: (chain: File["chains"][number]) => File["chains"][number]): Change =>
  (file) => {
    const [first, ...rest] = file.chains
    return { ...file, chains: [change(first), ...rest.map(change)] }
  }

/** Adds a token to a chain, priced like another one. */
export const withToken = (
  chainId: number,
  token: { readonly symbol: string; readonly address: string; readonly decimals: number; readonly asset: string }
): Change => eachChain((chain) => (chain.id === chainId ? { ...chain, tokens: [...chain.tokens, token] } : chain))

/** Each swap has separate transactions, which a test can count. */
export const separately: Change = eachChain((chain) => ({ ...chain, ...(chain.kind === "evm" && { maxBatch: 1 }) }))

/** Fees are not raised for a transaction that only waits for the test: the first stored one is included. */
const calm = eachChain((chain) => ({
  ...chain,
  // Far more than a response takes on a busy machine.
  timeoutMillis: 10_000,
  ...(chain.kind === "evm" && { stuckAfterMillis: 600_000 })
}))

/** Runs a test with its own server on the devnet of its file. The logs of the server are hidden. */
export const play = <A>(
  prepare: (devnet: Devnet.Devnet) => Promise<{ readonly change?: Change; readonly given?: Given; readonly props: A }>,
  body: (setup: Setup, props: A) => Promise<void>
) =>
  Effect.gen(function* () {
    const devnet = yield* Devnet.Devnet
    const { evmA, evmB, solana } = devnet
    const nodes = yield* Effect.all({
      evmA: Proxy.make({ target: evmA.rpcUrl }),
      evmB: Proxy.make({ target: evmB.rpcUrl }),
      solana: Proxy.make({ target: solana.rpcUrl })
    })
    const urls = new Map([
      [evmA.id, nodes.evmA.rpcUrl],
      [evmB.id, nodes.evmB.rpcUrl],
      [solana.id, nodes.solana.rpcUrl]
    ])
    const behind = eachChain((chain) => ({ ...chain, rpcUrls: [urls.get(chain.id) ?? ""] }))
    const { change, given, props } = yield* Effect.promise(() => prepare(devnet))
    const running = yield* serve(devnet, (file) => (change ?? ((same) => same))(calm(behind(file))), given)
    // A test that ends early must not leave the chains held for the next one.
    const letGo = Effect.all([evmA.release, evmB.release, solana.release], { discard: true })
    yield* Effect.ensuring(
      Effect.promise(() => body({ devnet, running, nodes }, props)),
      Effect.orDie(letGo)
    )
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))

/** A submitted swap. */
export interface Started {
  readonly swapId: string
  readonly amount: bigint
  readonly output: bigint
  /** Resolves when it finishes. */
  readonly ended: Promise<Swap>
}

/** Starts a swap, and returns when the service has accepted it. */
export const start = async (client: Client, request: ExecuteInput): Promise<Started> => {
  const events: Array<SwapEvent> = []
  const follow = async (accept: (swapId: string) => void): Promise<Swap> => {
    for await (const event of client.executeStream(request)) {
      events.push(event)
      if (event.type === "submitted") accept(event.swap.swapId)
    }
    const last = events.at(-1)
    if (last?.type !== "done") throw new Error("The swap did not finish.")
    return last.swap
  }
  const { ended, swapId } = await new Promise<Pick<Started, "ended" | "swapId">>((resolve, reject) => {
    const ended: Promise<Swap> = follow((swapId) => resolve({ ended, swapId }))
    ended.catch(reject)
  })
  const quoted = events.find((event) => event.type === "quoted")
  if (quoted?.type !== "quoted") throw new Error("There was no quote.")
  return { swapId, amount: quoted.request.amount, output: outputOf(events), ended }
}

/** A swap of 10 USDC on the first chain into WETH on the second one; tests override fields. */
export const usdcToWeth = (
  { evmA, evmB }: Devnet.Devnet,
  walletAddress: string,
  recipient: string
): ExecuteInput & { readonly amount: bigint } => ({
  originChain: evmA.id,
  destinationChain: evmB.id,
  inputToken: tokenOf(evmA, "USDC"),
  outputToken: tokenOf(evmB, "WETH"),
  amount: 10_000_000n,
  walletAddress,
  recipient
})

/** Starts a swap of a wallet: `usdcToWeth` to a new address, with the given fields. */
export const startSwap = async (
  { devnet, running }: Pick<Setup, "devnet" | "running">,
  wallet: PrivateKeyAccount,
  over: Partial<ExecuteInput> = {}
): Promise<Started> =>
  start(await clientOf(devnet, running, { evm: wallet }), {
    ...usdcToWeth(devnet, wallet.address, newAddress()),
    ...over
  })

/** A test that waits for that long has failed. */
const longestWaitMillis = 180_000

/** Polls until something exists. */
export const until = async <A>(look: () => A | undefined | false | Promise<A | undefined | false>): Promise<A> => {
  const end = Date.now() + longestWaitMillis
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`It did not happen: ${String(look)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/**
 * Waits until the service has completed that many polls of a chain, counted by calls of a method: the first call may
 * belong to a poll in progress, and the last one to a poll that is not complete.
 */
export const looked = async (node: Proxy.Proxy, method: string, looks = 2): Promise<void> => {
  const before = await make(node.calls(method))
  await until(async () => (await make(node.calls(method))) >= before + looks + 2)
}

/** Disconnects a node: the service first loses its connections, then cannot connect. `back` ends it. */
export const away = async (node: Proxy.Proxy): Promise<void> => {
  const before = await make(node.calls())
  await make(node.set("*", Proxy.hangUp))
  await until(async () => (await make(node.calls())) >= before + 3)
  await make(node.down)
}

/** Reconnects a node. */
export const back = async (node: Proxy.Proxy): Promise<void> => {
  await make(node.clear("*"))
  await make(node.up)
}

/** Waits until a swap has been in its state for longer than the service's retry time. */
export const outlasted = ({ running }: Setup, { swapId }: Started): Promise<boolean> =>
  until(() => Date.now() > database.changedAtOf(running.database, swapId) + patienceMillis)

/** Waits while something must not happen. */
export const elapse = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** Runs an action on a chain or a proxy. */
export const make = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)
