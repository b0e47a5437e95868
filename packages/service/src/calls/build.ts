/**
 * `POST /swap/build-geo-op` and `POST /swap/build-solana-tx`: turn a quote into an operation or a transaction to sign.
 */
import { Chain as CoreChain, type Operation, type Transport } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { chainRefusal } from "../chains/chainRefusal.js"
import type { EvmChain } from "../chains/Chains.js"
import { evmChainOf, solanaChainOf } from "../chains/Directory.js"
import * as SolanaTransaction from "../chains/solana/SolanaTransaction.js"
import { type Refusal, refuse } from "../Refusal.js"
import type * as Store from "../store/Store.js"
import { storeRefusal } from "../store/storeRefusal.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import { nonceUsed } from "./acceptSubmit.js"
import { readiness } from "./delegation.js"
import { digestOf, termsOf } from "./geoOpHash.js"
import type { Dependencies } from "./Service.js"
import { type EvmContext, open, type QuoteContext, seal } from "./tokenContents.js"

/**
 * How long after it is built an operation can still be submitted. The limit prevents a quote from being a free option.
 */
const submitMillis = 90_000
/**
 * How long after the submission deadline the chain still accepts an operation, so that an operation submitted at the
 * last moment can still be executed.
 */
const executionSeconds = 30

/** Refuses an expired quote. A quote is valid for less than 30 seconds. */
const alive = Effect.fnUntraced(function* ({ expiresAt }: QuoteContext): Effect.fn.Return<number, Refusal> {
  const now = yield* Clock.currentTimeMillis
  return now < expiresAt
    ? now
    : yield* refuse("QUOTE_EXPIRED", "The quote has expired. Request a new quote and build again.")
})

/**
 * The maximum number of bitmap words, each with 256 nonces, that one build request reads. The number is limited because
 * a wallet can mark any of its nonces as used.
 */
const maxWords = 4

/**
 * Reserves the wallet's next operation nonce that is unused according to the chain. A restored database may assign old
 * nonces again, but the bitmap in the wallet's on-chain storage shows which nonces have been used. A word of the bitmap
 * without a free nonce is skipped permanently, so the next build request starts after that word. The bitmap is only a
 * hint: if a nonce turns out to be used, the swap fails before any funds move.
 */
const unusedIndex = Effect.fnUntraced(function* (
  store: Store.Store,
  chain: EvmChain,
  wallet: string
): Effect.fn.Return<bigint, Refusal> {
  let next = yield* Effect.mapError(store.nextOperationNonce(chain.id, wallet), storeRefusal)
  for (let read = 0; read < maxWords; read++) {
    const word = next >> 8n
    const used = yield* Effect.mapError(chain.usedNonces(wallet, word), chainRefusal)
    const taking = yield* Effect.mapError(store.takeOperationNonce(chain.id, wallet, { word, used }), storeRefusal)
    if (taking._tag === "Taken") return taking.index
    next = taking.next
  }
  return yield* refuse(
    "UNAVAILABLE",
    `The wallet's next ${maxWords * 256} operation nonces on ${chain.name} have already been used. Build again to continue the search with later nonces.`,
    { retryAfter: 1 }
  )
})

/**
 * Refuses to reuse the nonce of an operation with a different wallet, chain or delegate, because both operations could
 * then be executed.
 */
const otherThan = (what: string) =>
  refuse(
    "VALIDATION",
    `previousGeoOpToken: expected an operation with the same ${what}. If you omit previousGeoOpToken, both operations can be executed until the previous one expires.`
  )

/** Checks that the previous operation has the same wallet and chain as the quote. */
const checkPrevious = ({ quote }: EvmContext, { originChain, wallet }: QuoteContext): Effect.Effect<void, Refusal> =>
  quote.originChain === originChain && CoreChain.sameAddress("evm", quote.wallet, wallet)
    ? Effect.void
    : Effect.fail(otherThan("wallet and chain"))

/**
 * Returns the nonce of the previous operation. The new operation uses the same nonce, so at most one of the two
 * operations can be executed. This function also checks that the nonce is unused, but the authoritative check happens
 * when the store accepts the swap.
 */
const sameIndex = Effect.fnUntraced(function* (
  store: Store.Store,
  chain: EvmChain,
  { operation, quote }: EvmContext,
  delegate: string
): Effect.fn.Return<bigint, Refusal> {
  if (!CoreChain.sameAddress("evm", operation.delegate, delegate)) return yield* otherThan("delegate")
  const index = BigInt(operation.nonce)
  const [taken, used] = yield* Effect.all(
    [
      Effect.mapError(store.isOperationNonceUsed(chain.id, quote.wallet, index), storeRefusal),
      Effect.mapError(chain.usedNonces(quote.wallet, index >> 8n), chainRefusal)
    ],
    { concurrency: "unbounded" }
  )
  return taken || ((used >> (index & 0xffn)) & 1n) === 1n ? yield* nonceUsed() : index
})

type Hex = `0x${string}`
const lower = (address: string) => address.toLowerCase() as Hex

export const buildGeoOp = ({ directory, sealer, store }: Dependencies) =>
  withSpanIfTraced(
    "Service.buildGeoOp",
    Effect.fnUntraced(function* (account: string, request: Transport.BuildRequest) {
      const binding = { family: "evm", account } as const
      const quote = yield* open(sealer, "quote", binding, request.geoQuoteToken)
      const { previousGeoOpToken } = request
      const previous =
        previousGeoOpToken === undefined ? undefined : yield* open(sealer, "operation", binding, previousGeoOpToken)
      if (previous !== undefined) yield* checkPrevious(previous, quote)
      const now = yield* alive(quote)
      const chain = yield* evmChainOf(directory, quote.originChain)
      const { authorization, delegate, vault } = yield* readiness(chain, quote.wallet, request.authorization)
      const nonce = yield* previous === undefined
        ? unusedIndex(store, chain, quote.wallet)
        : sameIndex(store, chain, previous, delegate)
      const until = now + submitMillis
      const terms = termsOf(quote)
      const geoOp: Operation.GeoOp = {
        chainId: chain.id,
        wallet: lower(quote.wallet),
        delegate: lower(delegate),
        token: lower(quote.inputToken),
        amount: quote.amount,
        vault: lower(vault),
        orderId: lower(quote.orderId),
        terms,
        nonce,
        deadline: Math.ceil(until / 1000) + executionSeconds
      }
      const geoOpHash = digestOf(geoOp)
      const geoOpToken = yield* seal(sealer, "operation", binding, {
        quote,
        until,
        operationHash: geoOpHash,
        terms,
        operation: {
          _tag: "evm",
          delegate: geoOp.delegate,
          nonce: `${nonce}`,
          deadline: geoOp.deadline,
          ...(authorization !== undefined && { authorization }),
          ...(geoOp.vault !== lower(chain.vault) && { vault: geoOp.vault })
        }
      })
      return { geoOpHash, geoOpToken, geoOp } satisfies Operation.BuiltOperation
    })
  )

export const buildSolanaTx = ({ directory, sealer }: Dependencies) =>
  withSpanIfTraced(
    "Service.buildSolanaTx",
    Effect.fnUntraced(function* (account: string, request: Transport.BuildRequest) {
      const binding = { family: "solana", account } as const
      const quote = yield* open(sealer, "quote", binding, request.geoQuoteToken)
      const now = yield* alive(quote)
      const chain = yield* solanaChainOf(directory, quote.originChain)
      const terms = termsOf(quote)
      const { lastValidBlockHeight, transaction } = yield* Effect.mapError(
        chain.buildCollect({
          wallet: quote.wallet,
          token: quote.inputToken,
          amount: quote.amount,
          memo: `geoswap:${quote.orderId}:${terms}`
        }),
        chainRefusal
      )
      const geoOpToken = yield* seal(sealer, "operation", binding, {
        quote,
        until: now + submitMillis,
        operationHash: yield* SolanaTransaction.messageHash(transaction),
        terms,
        operation: { _tag: "solana", transaction, lastValidBlockHeight: `${lastValidBlockHeight}` }
      })
      return { unsignedTransaction: transaction, geoOpToken } satisfies Operation.BuiltTransaction
    })
  )
