/** Implements `ChainReader` from `@geoswap/core` for EVM chains, using your own nodes. */
import { Chain, type ChainReader, Hex, Payment, SwapError } from "@geoswap/core"
import {
  connectNodes,
  type Fetch,
  NodeError,
  type NodeOptions as Options,
  quorumAmount,
  quorumState,
  type RpcCall,
  unanimous
} from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { invalidInput, readInput } from "./internal/constructorInput.js"
import { describeKind } from "./internal/describeValue.js"
import { parseQuantity } from "./internal/block.js"
import { readOperationState, readPaymentState } from "./internal/operationState.js"
import { isObject } from "./internal/properties.js"
import { readBalance } from "./internal/balance.js"
import { readPayout } from "./internal/payout.js"
import { describeFacts, readTokenFacts } from "./internal/tokenFacts.js"

export type { Options }

const checkChainId = Effect.fnUntraced(function* (call: RpcCall, chainId: number): Effect.fn.Return<void, NodeError> {
  const found = yield* parseQuantity("eth_chainId", yield* call("eth_chainId", []))
  if (found !== BigInt(chainId)) return yield* Effect.fail(new NodeError(`serves chain ${found}`))
})

/** Looks up the global `fetch` for each request, since tracers and test tools replace it. */
const defaultFetch: Fetch = (url, init) => fetch(url, init)

/** Fails if a query is invalid. */
const validateQuery = (...expected: ReadonlyArray<readonly [isValid: boolean, what: string]>) => {
  const [, what] = expected.find(([isValid]) => !isValid) ?? []
  const message = `The query is invalid: expected ${what}.`
  return what === undefined ? Effect.void : Effect.fail(new SwapError.ReaderError({ message }))
}

/** Describes code in an error message. A contract's code is too long to show. */
const describeCode = (code: Hex.Hex): string => (code.length <= 48 ? code : `${code.length / 2 - 1} bytes of code`)

const anAddress = (address: unknown) =>
  [Chain.isAddress("evm", address), "an EVM address, with a valid checksum if it is in mixed case"] as const

const aNonce = (nonce: bigint) => [nonce >= 0n && nonce < 2n ** 256n, "a nonce from 0 to 2^256 - 1"] as const
const aDeadline = (deadline: number) => [Number.isSafeInteger(deadline), "a deadline in Unix seconds"] as const

/** Creates the reader. Throws `InvalidInput` if an option is invalid. */
const construct = (options: Options): ChainReader.Evm => {
  const readNodes = readInput("options", () => {
    if (!isObject(options)) throw invalidInput("options", `expected { rpcUrls }, got ${describeKind(options)}.`)
    return connectNodes(options, { check: checkChainId, exampleChainId: 8453, defaultFetch })
  })
  return {
    chains: Object.keys(options.rpcUrls).map(Number),
    operationState: (operation) =>
      Effect.andThen(
        validateQuery(anAddress(operation.wallet), aNonce(operation.nonce), aDeadline(operation.deadline)),
        readNodes(operation.chainId, (node) => readOperationState(node, operation), quorumState, String)
      ),
    paymentState: (payment) =>
      Effect.andThen(
        validateQuery(
          anAddress(payment.wallet),
          anAddress(payment.token),
          [Payment.methods.includes(payment.method), `a method: ${Payment.methods.join(", ")}`],
          aNonce(payment.nonce),
          aDeadline(payment.deadline)
        ),
        readNodes(payment.chainId, (node) => readPaymentState(node, payment), quorumState, String)
      ),
    // Reads the latest block, not the mempool, because an authorization for a nonce that the account has not reached
    // could unexpectedly become valid later.
    accountNonce: ({ address, chainId }) => {
      const method = "eth_getTransactionCount"
      const nonce = Effect.fnUntraced(function* (node: RpcCall): Effect.fn.Return<number, NodeError> {
        const found = Number(yield* parseQuantity(method, yield* node(method, [address, "latest"])))
        return Number.isSafeInteger(found)
          ? found
          : yield* Effect.fail(new NodeError(`returned an invalid nonce for ${method}`))
      })
      return Effect.andThen(validateQuery(anAddress(address)), readNodes(chainId, nonce, unanimous(String), String))
    },
    accountCode: ({ address, chainId }) => {
      const method = "eth_getCode"
      const code = Effect.fnUntraced(function* (node: RpcCall): Effect.fn.Return<Hex.Hex, NodeError> {
        const found = yield* node(method, [address, "latest"])
        return typeof found === "string" && found.length % 2 === 0 && Hex.isHex(found, found.length / 2 - 1)
          ? (found.toLowerCase() as Hex.Hex)
          : yield* Effect.fail(new NodeError(`returned invalid code for ${method}`))
      })
      return Effect.andThen(
        validateQuery(anAddress(address)),
        readNodes(chainId, code, unanimous(String), describeCode)
      )
    },
    token: (token) =>
      Effect.andThen(
        validateQuery(anAddress(token.address)),
        readNodes(token.chainId, (node) => readTokenFacts(node, token), unanimous(describeFacts), describeFacts)
      ),
    balance: (query) =>
      Effect.andThen(
        validateQuery(anAddress(query.token), anAddress(query.wallet)),
        readNodes(query.chainId, (node) => readBalance(node, query), quorumAmount, String)
      ),
    payout: (query) =>
      Effect.andThen(
        validateQuery(
          [Hex.isHex(query.txHash, 32), "a transaction hash"],
          [Hex.isHex(query.orderId, 32), "an order id"],
          anAddress(query.recipient),
          anAddress(query.token),
          ...query.vaults.map(anAddress),
          [Number.isFinite(query.since), "a time in Unix milliseconds"]
        ),
        readNodes(query.chainId, (node) => readPayout(node, query), quorumAmount, String)
      )
  }
}

/**
 * Creates a reader for the chains in `rpcUrls`. Fails with `InvalidInput` if an option is invalid.
 *
 * @example
 * ```ts
 * const readers = Layer.unwrap(Effect.map(EvmReader.make({ rpcUrls }), (evm) => ChainReader.layer({ evm })))
 * ```
 */
export const make = (options: Options): Effect.Effect<ChainReader.Evm, SwapError.InvalidInput> =>
  Effect.try({ try: () => construct(options), catch: (error) => error as SwapError.InvalidInput })
