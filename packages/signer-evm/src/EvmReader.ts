/** The caller's own view of EVM chains, for `ChainReader` of `@geoswap/core`. */
import { Chain, type ChainReader, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { type Ask, Fault } from "./internal/jsonRpc.js"
import { nodesOf, type Options, unanimous } from "./internal/nodes.js"
import { combineStates, operationStateAt, quantity } from "./internal/operationState.js"
import { describeFacts, tokenFactsAt } from "./internal/tokenFacts.js"

export type { Options }

const isOfChain = Effect.fnUntraced(function* (ask: Ask, chainId: number): Effect.fn.Return<void, Fault> {
  const found = yield* quantity("eth_chainId", yield* ask("eth_chainId", []))
  if (found !== BigInt(chainId)) return yield* Effect.fail(new Fault(`is a node of chain ${found}`))
})

/** Fails with what is wrong with a question. */
const asked = (...expected: ReadonlyArray<readonly [isValid: boolean, what: string]>) => {
  const [, what] = expected.find(([isValid]) => !isValid) ?? []
  const message = `The question to your nodes is invalid: expected ${what}.`
  return what === undefined ? Effect.void : Effect.fail(new SwapError.ReaderError({ message }))
}

const anAddress = (given: unknown) =>
  [Chain.isAddress("evm", given), "an EVM address, with its checksum if it is in mixed case"] as const

/** The reader of some nodes; throws `InvalidInput`. */
const construct = (options: Options): ChainReader.EvmReader => {
  const ask = nodesOf(options, isOfChain)
  return {
    operationState: (operation) =>
      Effect.andThen(
        asked(
          anAddress(operation.wallet),
          [operation.nonce >= 0n && operation.nonce < 2n ** 256n, "a nonce of up to 256 bits"],
          [Number.isSafeInteger(operation.deadline), "a deadline in Unix seconds"]
        ),
        ask(operation.chainId, (node) => operationStateAt(node, operation), combineStates, String)
      ),
    // Of the newest block, not of the pool: an authorization for a nonce that the account has yet to reach would be valid
    // later, when nobody expects it.
    accountNonce: ({ address, chainId }) => {
      const method = "eth_getTransactionCount"
      const nonce = Effect.fnUntraced(function* (node: Ask): Effect.fn.Return<number, Fault> {
        const found = Number(yield* quantity(method, yield* node(method, [address, "latest"])))
        return Number.isSafeInteger(found) ? found : yield* Effect.fail(new Fault(`answered ${method} with no nonce`))
      })
      return Effect.andThen(asked(anAddress(address)), ask(chainId, nonce, unanimous(String), String))
    },
    token: (token) =>
      Effect.andThen(
        asked(anAddress(token.address)),
        ask(token.chainId, (node) => tokenFactsAt(node, token), unanimous(describeFacts), describeFacts)
      )
  }
}

/**
 * A reader of the chains that `rpcUrls` names; fails with `InvalidInput` if an option is invalid.
 *
 * @example
 * ```ts
 * const readers = Layer.unwrap(Effect.map(EvmReader.make({ rpcUrls }), (evm) => ChainReader.layer({ evm })))
 * ```
 */
export const make = (options: Options): Effect.Effect<ChainReader.EvmReader, SwapError.InvalidInput> =>
  Effect.try({ try: () => construct(options), catch: (error) => error as SwapError.InvalidInput })
