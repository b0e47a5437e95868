/** The caller's own view of EVM chains, for `ChainReader` of `@geoswap/core`. */
import { Chain, type ChainReader, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { type RpcCall, NodeError } from "./internal/jsonRpc.js"
import { connectNodes, type Options, unanimous } from "./internal/nodes.js"
import { combineStates, readOperationState, parseQuantity } from "./internal/operationState.js"
import { describeFacts, readTokenFacts } from "./internal/tokenFacts.js"

export type { Options }

const checkChainId = Effect.fnUntraced(function* (call: RpcCall, chainId: number): Effect.fn.Return<void, NodeError> {
  const found = yield* parseQuantity("eth_chainId", yield* call("eth_chainId", []))
  if (found !== BigInt(chainId)) return yield* Effect.fail(new NodeError(`is a node of chain ${found}`))
})

/** Fails with what is wrong with a question. */
const validateQuery = (...expected: ReadonlyArray<readonly [isValid: boolean, what: string]>) => {
  const [, what] = expected.find(([isValid]) => !isValid) ?? []
  const message = `The question to your nodes is invalid: expected ${what}.`
  return what === undefined ? Effect.void : Effect.fail(new SwapError.ReaderError({ message }))
}

const anAddress = (address: unknown) =>
  [Chain.isAddress("evm", address), "an EVM address, with its checksum if it is in mixed case"] as const

/** The reader of some nodes; throws `InvalidInput`. */
const construct = (options: Options): ChainReader.EvmReader => {
  const readNodes = connectNodes(options, checkChainId)
  return {
    operationState: (operation) =>
      Effect.andThen(
        validateQuery(
          anAddress(operation.wallet),
          [operation.nonce >= 0n && operation.nonce < 2n ** 256n, "a nonce of up to 256 bits"],
          [Number.isSafeInteger(operation.deadline), "a deadline in Unix seconds"]
        ),
        readNodes(operation.chainId, (node) => readOperationState(node, operation), combineStates, String)
      ),
    // Of the newest block, not of the pool: an authorization for a nonce that the account has yet to reach would be valid
    // later, when nobody expects it.
    accountNonce: ({ address, chainId }) => {
      const method = "eth_getTransactionCount"
      const nonce = Effect.fnUntraced(function* (node: RpcCall): Effect.fn.Return<number, NodeError> {
        const found = Number(yield* parseQuantity(method, yield* node(method, [address, "latest"])))
        return Number.isSafeInteger(found)
          ? found
          : yield* Effect.fail(new NodeError(`answered ${method} with no nonce`))
      })
      return Effect.andThen(validateQuery(anAddress(address)), readNodes(chainId, nonce, unanimous(String), String))
    },
    token: (token) =>
      Effect.andThen(
        validateQuery(anAddress(token.address)),
        readNodes(token.chainId, (node) => readTokenFacts(node, token), unanimous(describeFacts), describeFacts)
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
