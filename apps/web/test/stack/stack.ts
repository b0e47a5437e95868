/** The whole stack for tests: chains, a venue, the service and the page. */
import { type RunningDevnet, startDevnet } from "@geoswap/devnet"
import { type DevnetConfig, DevnetServer, Storage } from "@geoswap/server"
import { Store, type SwapRecord } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { deployEns } from "../../../../tooling/testing/ens.js"
import { deployForeignAccount, deployPausable, type Pausable } from "./chains.js"
import { openVenue, type TestVenue } from "./venue.js"

/** The running stack. */
export interface Stack {
  /** The URL of the page. */
  readonly url: string
  readonly devnet: RunningDevnet
  readonly venue: TestVenue
  /** A pausable token on the second chain. */
  readonly pausable: Pausable
  /** The account of another provider on the first chain. It rejects a wallet's plain signatures. */
  readonly foreignAccount: string
  /** Secrets that must never reach a browser: API keys and the signing keys of the service. */
  readonly secrets: ReadonlyArray<string>
  /** All swaps of the service, oldest first. */
  readonly swaps: () => Promise<ReadonlyArray<SwapRecord.SwapRecord>>
  readonly stop: () => Promise<void>
}

/** The explorer of the first chain. */
const explorer = "https://explorer.example/tx/{hash}"

/** Names in the ENS registry of the first chain: one with an address for all EVM chains, one only for Ethereum. */
const ensNames = {
  "alice.eth": { [0x80000000]: "0x00000000000000000000000000000000000A11cE" },
  "old.eth": { 60: "0x0000000000000000000000000000000000000b0B" }
} as const

type File = DevnetConfig.ConfigFile

/** How the devnet's other tokens can be paid with: EURC never asks a wallet's code, and PLAIN has no signatures. */
const offers = {
  EURC: { methods: ["eip3009"], name: "Euro Coin", version: "1" },
  PLAIN: { methods: ["permit2"] }
} as const

/** The devnet's other tokens, as the configuration lists them. */
const otherTokens = ({ paymentTokens }: RunningDevnet["evmA"]) =>
  paymentTokens.flatMap(({ address, decimals, symbol }) =>
    symbol === "EURC" || symbol === "PLAIN" ? [{ symbol, address, decimals, payments: offers[symbol] }] : []
  )

const eachChain = (file: File, change: (chain: File["chains"][number]) => File["chains"][number]): File => {
  const [first, ...rest] = file.chains
  return { ...file, chains: [change(first), ...rest.map(change)] }
}

/** Starts the stack. */
export const startStack = async (): Promise<Stack> => {
  const devnet = await startDevnet({
    ports: "free",
    blockTime: 250,
    idleBlockTime: 2_000,
    slotTime: 100,
    finalitySlots: 4
  })
  const scope = Scope.makeUnsafe()
  const venue = await openVenue()
  const stop = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await venue[Symbol.asyncDispose]()
    await devnet.stop()
  }
  try {
    const owner = devnet.operators.find(({ family, role }) => family === "evm" && role === "owner")
    const pausable = await deployPausable(devnet.evmB, owner?.privateKey ?? "")
    const foreignAccount = await deployForeignAccount(devnet.evmA, owner?.privateKey ?? "")
    const registry = await deployEns(devnet.evmA, owner?.privateKey ?? "", ensNames)
    const change = (file: File): File => ({
      ...eachChain(file, (chain) => ({
        ...chain,
        pollMillis: 50,
        // On a busy machine, a response takes longer than by default.
        timeoutMillis: 60_000,
        tokens:
          chain.id === devnet.evmB.id
            ? [...chain.tokens, pausable.token]
            : chain.id === devnet.evmA.id
              ? [...chain.tokens, ...otherTokens(devnet.evmA)]
              : chain.tokens,
        // One confirmation, and no replacement of transactions that a test holds back.
        ...(chain.kind === "evm" && { finality: [{ after: { blocks: 1 } }] as const, stuckAfterMillis: 600_000 })
      })),
      venue: { kind: "http", url: venue.url, timeoutMillis: 30_000, maxAgeMillis: 60_000 },
      execution: { deliveryRetryMillis: 500, venueRetryMillis: 1_500 },
      // Every test has its own IP address, so the rate limits apply per test.
      listen: { ...file.listen, trustedProxies: 1 },
      web: {
        explorers: { [devnet.evmA.id]: explorer },
        ens: { chainId: devnet.evmA.id, registry }
      }
    })
    const { apiKeys, database, url } = await DevnetServer.make(devnet.description, { port: 0, web: true, change }).pipe(
      Effect.provideService(References.MinimumLogLevel, "None"),
      (made) => Effect.runPromise(Scope.provide(made, scope))
    )
    const list = Effect.flatMap(Store.Store, (store) => store.list({ oldestFirst: true, limit: 1_000 }))
    return {
      url,
      devnet,
      venue,
      pausable,
      foreignAccount,
      secrets: [...apiKeys, ...devnet.operators.map(({ privateKey }) => privateKey)],
      swaps: () => Effect.runPromise(Effect.provide(list, Storage.store(database))),
      stop
    }
  } catch (error) {
    await stop()
    throw error
  }
}
