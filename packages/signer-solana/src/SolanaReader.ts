/** Implements `ChainReader` from `@geoswap/core` for Solana networks, using your own nodes. */
import { Chain, type ChainReader, Hex, SwapError } from "@geoswap/core"
import {
  connectNodes,
  type Fetch,
  type NodeCheck,
  NodeError,
  type NodeOptions,
  quorumAmount,
  quorumState,
  unanimous
} from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { invalidInput, readInput } from "./internal/constructorInput.js"
import { parseSignedTransaction } from "./internal/parseSignedTransaction.js"
import { readProperty } from "./internal/properties.js"
import { getGenesisHash } from "./internal/rpcMethods.js"
import { readBalance } from "./internal/balance.js"
import { readPayout } from "./internal/payout.js"
import { makeTokenAccounts } from "./internal/tokenAccounts.js"
import { describeFacts, readTokenFacts } from "./internal/tokenFacts.js"
import { readTransactionState } from "./internal/transactionState.js"

/** Options for a reader. */
export interface Options extends NodeOptions {
  /** The genesis hashes of networks other than mainnet, by chain id. A node with a different hash is rejected. */
  readonly genesisHashes?: Readonly<Record<number, string>> | undefined
}

const mainnetGenesisHash = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"

/**
 * Checks that a node serves the expected network. On another network, every transaction would seem to have expired,
 * because none of the transactions landed there and none of their blockhashes are valid there.
 */
const checkGenesisHash =
  (pinned: unknown): NodeCheck =>
  (call, chainId) =>
    Effect.flatMap(getGenesisHash(call), (found) => {
      const isMain = chainId === Chain.solanaMainnet
      const expected = isMain ? mainnetGenesisHash : (readProperty(pinned, `${chainId}`) ?? found)
      return found === expected && (found === mainnetGenesisHash) === isMain
        ? Effect.void
        : Effect.fail(new NodeError("serves a different Solana network"))
    })

/** Looks up the global `fetch` for each request, since tracers and test tools replace it. */
const defaultFetch: Fetch = (url, init) => fetch(url, init)

const invalidQuery = (expected: string) =>
  new SwapError.ReaderError({ message: `The query is invalid: expected ${expected}.` })

/** Creates the reader. Throws `InvalidInput` if an option is invalid. */
const construct = (options: Options): ChainReader.Solana => {
  const genesisHashes = readProperty(options, "genesisHashes")
  if (genesisHashes !== undefined && (typeof genesisHashes !== "object" || genesisHashes === null)) {
    throw invalidInput("genesisHashes", "expected genesis hashes by chain id.")
  }
  const tokenAccountOf = makeTokenAccounts()
  const readNodes = connectNodes(options, {
    check: checkGenesisHash({ ...genesisHashes }),
    exampleChainId: Chain.solanaMainnet,
    defaultFetch
  })
  return {
    chains: Object.keys(options.rpcUrls).map(Number),
    transactionState: Effect.fnUntraced(function* ({ chainId, signedAt, signedTransaction }) {
      const signed = yield* Effect.mapError(parseSignedTransaction(signedTransaction), ({ message }) =>
        invalidQuery(message)
      )
      if (signedAt !== undefined && !Number.isFinite(signedAt)) {
        return yield* invalidQuery("signedAt in Unix milliseconds")
      }
      return yield* readNodes(chainId, (node) => readTransactionState(node, signed, signedAt), quorumState, String)
    }),
    token: Effect.fnUntraced(function* (token) {
      if (!Chain.isAddress("solana", token.address)) return yield* invalidQuery("a mint address")
      return yield* readNodes(
        token.chainId,
        (node) => readTokenFacts(node, token),
        unanimous(describeFacts),
        describeFacts
      )
    }),
    balance: Effect.fnUntraced(function* (query) {
      if (!Chain.isAddress("solana", query.token)) return yield* invalidQuery("a mint address")
      if (!Chain.isAddress("solana", query.wallet)) return yield* invalidQuery("a wallet address")
      return yield* readNodes(query.chainId, (node) => readBalance(node, query), quorumAmount, String)
    }),
    payout: Effect.fnUntraced(function* (query) {
      const { orderId, recipient, since, token, txHash, vaults } = query
      if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(txHash)) return yield* invalidQuery("a transaction's signature")
      if (!Hex.isHex(orderId, 32)) return yield* invalidQuery("an order id")
      if (!Chain.isAddress("solana", token)) return yield* invalidQuery("a mint address")
      if (![recipient, ...vaults].every((owner) => Chain.isAddress("solana", owner))) {
        return yield* invalidQuery("wallet addresses")
      }
      if (!Number.isFinite(since)) return yield* invalidQuery("a time in Unix milliseconds")
      const accountOf = (owner: string) =>
        token === Chain.nativeToken.solana
          ? Effect.succeed(owner)
          : Effect.mapError(tokenAccountOf(owner, token), ({ message }) => new SwapError.ReaderError({ message }))
      const accounts = {
        recipient: yield* accountOf(recipient),
        vaults: yield* Effect.forEach(vaults, (vault) =>
          Effect.map(accountOf(vault), (account) => ({ vault, account }))
        )
      }
      return yield* readNodes(query.chainId, (node) => readPayout(node, query, accounts), quorumAmount, String)
    })
  }
}

/**
 * Creates a reader for the networks in `rpcUrls`. Fails with `InvalidInput` if an option is invalid.
 *
 * @example
 * ```ts
 * const readers = Layer.unwrap(Effect.map(SolanaReader.make({ rpcUrls }), (solana) => ChainReader.layer({ solana })))
 * ```
 */
export const make = (options: Options): Effect.Effect<ChainReader.Solana, SwapError.InvalidInput> =>
  readInput(
    "options",
    Effect.suspend(() => {
      try {
        return Effect.succeed(construct(options))
      } catch (error) {
        return error instanceof SwapError.InvalidInput ? Effect.fail(error) : Effect.die(error)
      }
    })
  )
