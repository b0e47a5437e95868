/** The caller's own view of Solana networks, for `ChainReader` of `@geoswap/core`. */
import { Chain, type ChainReader, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { genesisHash } from "./internal/answers.js"
import { guarded, invalidInput, member } from "./internal/given.js"
import { Fault } from "./internal/jsonRpc.js"
import { describeFacts, mintFactsAt } from "./internal/mint.js"
import { type Check, nodesOf, type Options as NodeOptions, unanimous } from "./internal/nodes.js"
import { readSigned } from "./internal/signedTransaction.js"
import { combineStates, transactionStateAt } from "./internal/transactionState.js"

/** What a reader is made of. */
export interface Options extends NodeOptions {
  /** The genesis hashes of networks besides the main one, by chain id. A node of another network is refused. */
  readonly genesisHashes?: Readonly<Record<number, string>> | undefined
}

const mainGenesis = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"

/** On another network no transaction landed, and no blockhash is valid: it would seem to have expired. */
const isOfNetwork =
  (pinned: unknown): Check =>
  (ask, chainId) =>
    Effect.flatMap(genesisHash(ask), (found) => {
      const isMain = chainId === Chain.solanaMainnet
      const expected = isMain ? mainGenesis : (member(pinned, `${chainId}`) ?? found)
      return found === expected && (found === mainGenesis) === isMain
        ? Effect.void
        : Effect.fail(new Fault("is a node of another Solana network"))
    })

const invalidQuestion = (expected: string) =>
  new SwapError.ReaderError({ message: `The question to your nodes is invalid: expected ${expected}.` })

/** The reader of some nodes. */
const construct = (options: Options): ChainReader.SolanaReader => {
  const genesisHashes = member(options, "genesisHashes")
  if (genesisHashes !== undefined && (typeof genesisHashes !== "object" || genesisHashes === null)) {
    throw invalidInput("genesisHashes", "is invalid: expected genesis hashes by chain id")
  }
  const ask = nodesOf(options, isOfNetwork({ ...genesisHashes }))
  return {
    transactionState: Effect.fnUntraced(function* ({ chainId, signedAt, signedTransaction }) {
      const signed = yield* Effect.mapError(readSigned(signedTransaction), ({ message }) => invalidQuestion(message))
      if (signedAt !== undefined && !Number.isFinite(signedAt)) {
        return yield* invalidQuestion("signedAt in Unix milliseconds")
      }
      return yield* ask(chainId, (node) => transactionStateAt(node, signed, signedAt), combineStates, String)
    }),
    token: Effect.fnUntraced(function* (token) {
      if (!Chain.isAddress("solana", token.address)) return yield* invalidQuestion("the address of a mint")
      return yield* ask(token.chainId, (node) => mintFactsAt(node, token), unanimous(describeFacts), describeFacts)
    })
  }
}

/**
 * A reader of the networks that `rpcUrls` names; fails with `InvalidInput` if an option is invalid.
 *
 * @example
 * ```ts
 * const readers = Layer.unwrap(Effect.map(SolanaReader.make({ rpcUrls }), (solana) => ChainReader.layer({ solana })))
 * ```
 */
export const make = (options: Options): Effect.Effect<ChainReader.SolanaReader, SwapError.InvalidInput> =>
  guarded(
    "options",
    Effect.suspend(() => {
      try {
        return Effect.succeed(construct(options))
      } catch (error) {
        return error instanceof SwapError.InvalidInput ? Effect.fail(error) : Effect.die(error)
      }
    })
  )
