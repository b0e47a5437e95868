/** An in-memory service that follows the protocol and can inject a fault into any call. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Chain from "../Chain.js"
import type * as ChainReader from "../ChainReader.js"
import { parseJson } from "../codecs/decodeResponse.js"
import * as Network from "../Network.js"
import type { Method } from "../Payment.js"
import type { QuoteRequest } from "../Quote.js"
import type { Swap } from "../Swap.js"
import { Unavailable } from "../SwapError.js"
import {
  type Endpoint,
  type HttpRequest,
  type HttpResponse,
  make as makeTransport,
  type Options as TransportOptions,
  type Send,
  Transport
} from "../Transport.js"
import { type ChainLibrary, standIn } from "./ChainLibrary.js"
import type { Fault } from "./Fault.js"
import { fieldsOf, finish, handle, type Outcome, readersOf, State, walletKey } from "./scriptedService.js"
import { evmDeployment, evmKey, operations, solanaDeployment, solanaKey, transactions } from "./vectors.js"

/** A request that the service received. */
interface Seen {
  readonly endpoint: Endpoint
  /** When the request was received, in Unix milliseconds. */
  readonly at: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Options for the service. */
export interface Options extends TransportOptions {
  /** Hashing and signer recovery (default: the fake that `TestSigner` also uses). */
  readonly library?: ChainLibrary
  /** The chains, their contracts and their tokens (default: two EVM chains and Solana). */
  readonly network?: Network.Network
  /**
   * The number after which quotes and orders are numbered (default: 0). Services of several processes that share a store
   * need different numbers, because an order belongs to one swap.
   */
  readonly serial?: number
}

/** The service, with controls for tests. */
export interface ScriptedTransport {
  readonly transport: Transport
  /** Sends one HTTP request to this service. */
  readonly send: Send
  /** Sends requests for another account. `undefined` stands for an invalid API key. */
  readonly sendAs: (account: string | undefined) => Send
  /** A transport for another account. `undefined` stands for an invalid API key. */
  readonly as: (account: string | undefined) => Transport
  /** Readers backed by an honest node that belongs to the caller and serves the same chains. */
  readonly readers: Required<ChainReader.ChainReader>
  /** Every request so far, in order. */
  readonly requests: ReadonlyArray<Seen>
  /** The requests to one endpoint. */
  readonly seen: (endpoint: Endpoint) => ReadonlyArray<Seen>
  /** Every swap that the service has accepted. */
  readonly swaps: ReadonlyArray<Swap>
  /** The chains that the service serves, with its contracts. */
  readonly network: Network.Network
  /** Injects faults into the next calls to an endpoint, one per call. */
  readonly next: (endpoint: Endpoint, ...faults: ReadonlyArray<Fault>) => void
  /** Injects a fault into every call to an endpoint. */
  readonly always: (endpoint: Endpoint, fault: Fault) => void
  /** Sets how swaps end, and after how long. */
  readonly ends: (outcome: Outcome, afterMillis?: number) => void
  /** Ends a swap now. */
  readonly finish: (swapId: string, outcome: Exclude<Outcome, "never">) => Effect.Effect<void>
  /** Sets the price: output per input, in basis points. */
  readonly price: (bps: number) => void
  /**
   * Sets how wallets can pay, with the service's preference first. An empty list means that no wallet can pay. Without
   * this call, the service knows only delegations.
   */
  readonly paymentMethods: (...methods: ReadonlyArray<Method>) => void
  /** Delegates a wallet (default: to the service's contract). */
  readonly delegate: (chainId: number, wallet: string, to?: string) => void
  /** Increments a wallet's nonce. */
  readonly moveNonce: (chainId: number, wallet: string) => void
}

/** The scripted service, for tests that provide it as a layer. */
export const ScriptedTransport: Context.Service<ScriptedTransport, ScriptedTransport> =
  /* @__PURE__ */ Context.Service<ScriptedTransport>("@geoswap/core/ScriptedTransport")

/** A request that the service can serve, from the wallet of `TestSigner.evm()`. */
export const evmRequest: QuoteRequest = {
  originChain: 8453,
  destinationChain: 42161,
  inputToken: operations[0].request.inputToken,
  outputToken: operations[0].request.outputToken,
  amount: 10_000_000n,
  walletAddress: evmKey.address
}

/** A request that the service can serve, from the wallet of `TestSigner.solana()`. */
export const solanaRequest: QuoteRequest = {
  originChain: Chain.solanaMainnet,
  destinationChain: 8453,
  inputToken: transactions[0].request.inputToken,
  outputToken: evmRequest.inputToken,
  amount: 5_000_000n,
  walletAddress: solanaKey.address,
  recipient: evmKey.address
}

const usdc = (address: string) => [{ symbol: "USDC", address, decimals: 6 }]

const evmChain = (id: number, name: string): Network.NetworkChain => ({
  id,
  name,
  family: "evm",
  deployment: evmDeployment,
  tokens: usdc(evmRequest.inputToken)
})

const baseNetwork: Network.Network = {
  chains: [
    evmChain(8453, "base"),
    evmChain(42161, "arbitrum"),
    {
      id: Chain.solanaMainnet,
      name: "solana",
      family: "solana",
      deployment: solanaDeployment,
      tokens: usdc(solanaRequest.inputToken)
    }
  ]
}

/** Creates a service with its own state. */
export const make = (options: Options = {}): ScriptedTransport => {
  const network = options.network ?? baseNetwork
  const deploymentOf = (chainId: number) => Network.find(network, chainId)?.deployment
  const state = new State()
  state.serial = options.serial ?? 0
  const rules = {
    library: options.library ?? standIn,
    chains: network.chains.map(({ family, id, name, tokens = [] }) => ({ id, name, family, tokens })),
    deploymentOf,
    familyOf: Network.familyOf(network)
  }
  const requests: Array<Seen> = []
  const queues = new Map<Endpoint, Array<Fault>>()
  const standing = new Map<Endpoint, Fault>()

  const moveNonce = (chainId: number, wallet: string) => {
    const key = walletKey(chainId, wallet)
    state.nonces.set(key, (state.nonces.get(key) ?? 0) + 1)
  }

  /** The quote that a request's token belongs to. */
  const entryOf = (request: HttpRequest) => {
    const { geoQuoteToken, geoOpToken } = fieldsOf(request)
    return state.operations.get(String(geoOpToken))?.entry ?? state.quotes.get(String(geoQuoteToken))
  }

  /** Makes the changes that a fault requires before the request is handled. */
  const applyFault = (fault: Fault, request: HttpRequest) => {
    if (fault.type === "move-nonce") {
      const wallet = entryOf(request)?.request ?? evmRequest
      moveNonce(wallet.originChain, wallet.walletAddress)
    }
    if (fault.type === "expire") {
      const { geoQuoteToken, geoOpToken } = fieldsOf(request)
      const quote = state.quotes.get(String(geoQuoteToken))
      const operation = state.operations.get(String(geoOpToken))
      if (quote) state.quotes.set(String(geoQuoteToken), { ...quote, until: -Infinity })
      if (operation) state.operations.set(String(geoOpToken), { ...operation, until: -Infinity })
    }
  }

  /**
   * Returns the fault's response for this stage (before or after the request takes effect), or `undefined` if the fault
   * has no response.
   */
  const interfere = (fault: Fault, after: boolean): Effect.Effect<HttpResponse, Unavailable> | undefined => {
    if (!("after" in fault) || fault.after !== after) return undefined
    if (fault.type === "respond") return Effect.succeed(fault.answer)
    return fault.type === "hang"
      ? Effect.never
      : Effect.fail(new Unavailable({ reason: "network", message: "The connection was lost." }))
  }

  const sendAs =
    (account: string | undefined): Send =>
    (request) =>
      Effect.gen(function* () {
        requests.push({ endpoint: request.endpoint, at: yield* Clock.currentTimeMillis, body: fieldsOf(request) })
        const fault = queues.get(request.endpoint)?.shift() ?? standing.get(request.endpoint) ?? { type: "pass" }
        applyFault(fault, request)
        if (fault.type === "delay") yield* Effect.sleep(fault.millis)
        const before = interfere(fault, false)
        if (before !== undefined) return yield* before
        const answer = yield* handle(state, rules, account, request)
        const after = interfere(fault, true)
        if (after !== undefined) return yield* after
        return fault.type === "alter" && answer.status === 200
          ? { ...answer, body: JSON.stringify(fault.alter({ ...(parseJson(answer.body) as object) })) }
          : answer
      })

  const as = (account: string | undefined) => makeTransport(sendAs(account), options)

  return {
    transport: as("first"),
    send: sendAs("first"),
    sendAs,
    as,
    readers: readersOf(state, rules),
    requests,
    seen: (endpoint) => requests.filter((request) => request.endpoint === endpoint),
    get swaps() {
      return [...state.swaps.values()].map(({ swap }) => swap)
    },
    network,
    next: (endpoint, ...faults) => {
      queues.set(endpoint, [...(queues.get(endpoint) ?? []), ...faults])
    },
    always: (endpoint, fault) => {
      standing.set(endpoint, fault)
    },
    ends: (outcome, afterMillis = state.duration) => {
      state.outcome = outcome
      state.duration = afterMillis
    },
    finish: (swapId, outcome) => finish(state, swapId, outcome),
    price: (bps) => {
      state.priceBps = bps
    },
    paymentMethods: (...methods) => {
      state.paymentMethods = methods
    },
    delegate: (chainId, wallet, to = deploymentOf(chainId)?.delegates?.[0] ?? "") => {
      state.delegations.set(walletKey(chainId, wallet), to)
    },
    moveNonce
  }
}

/** A layer that provides the scripted service and its transport. */
export const layer = (options: Options = {}): Layer.Layer<Transport | ScriptedTransport> =>
  Layer.effectContext(
    Effect.sync(() => {
      const service = make(options)
      return Context.make(Transport, service.transport).pipe(Context.add(ScriptedTransport, service))
    })
  )
