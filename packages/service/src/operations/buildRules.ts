/** The rules that builds of operations, payments and transactions share: lifetimes and nonces. */
import { Chain as CoreChain } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { chainRefusal } from "../chains/chainRefusal.js"
import type { EvmChain } from "../chains/Chains.js"
import { together } from "../concurrency/together.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import type { NonceSpace } from "../store/acceptance/NonceWord.js"
import type * as Store from "../store/Store.js"
import { storeRefusal } from "../store/storeRefusal.js"
import { nonceUsed } from "./refusals.js"
import type { EvmContext, QuoteContext } from "./tokenContents.js"

/** Converts an address or a hash to lowercase. */
export const lower = (address: string) => address.toLowerCase() as `0x${string}`

/**
 * How long after it is built an operation can still be submitted. The limit prevents a quote from being a free option.
 */
const submitMillis = 90_000
/**
 * How long after the submission deadline the chain still accepts an operation, so that an operation submitted at the
 * last moment can still be executed.
 */
const executionSeconds = 30

/** The time until which an operation or a payment can be submitted, and its deadline on the chain. */
export const lifetimeFrom = (now: number) => {
  const until = now + submitMillis
  return { until, deadline: Math.ceil(until / 1000) + executionSeconds }
}

/** Refuses an expired quote. A quote is valid for less than 30 seconds. */
export const alive = Effect.fnUntraced(function* ({ expiresAt }: QuoteContext): Effect.fn.Return<number, Refusal> {
  const now = yield* Clock.currentTimeMillis
  return now < expiresAt
    ? now
    : yield* refuse("QUOTE_EXPIRED", "The quote has expired. Request a new quote and build again.")
})

/** Reads the words of a bitmap on the chain. */
const usedIn = ({ payments, usedNonces }: EvmChain, space: NonceSpace) =>
  space === "account" ? usedNonces : payments.usedIndices

/**
 * The maximum number of bitmap words, each with 256 nonces, that one build request reads. The number is limited because
 * a wallet can mark any of its nonces as used.
 */
const maxWords = 4

/**
 * Takes the wallet's next operation nonce that is unused according to the chain and the accepted swaps. The nonce is not
 * reserved: builds that are never submitted do not use up nonces (see `store/acceptance/operationIndices.ts`). A restored database
 * may assign old nonces again, but the bitmap in the wallet's on-chain storage, or in Permit2's, shows which nonces have
 * been used. A word of the bitmap without a free nonce is skipped permanently, so the next build request starts after
 * that word. The bitmap is only a hint: if a nonce turns out to be used, the swap fails before any funds move.
 */
export const unusedIndex = Effect.fnUntraced(function* (
  store: Store.Store,
  chain: EvmChain,
  wallet: string,
  space: NonceSpace = "account"
): Effect.fn.Return<bigint, Refusal> {
  const readWord = usedIn(chain, space)
  let word = yield* Effect.mapError(store.operationWord(chain.id, wallet, space), storeRefusal)
  for (let read = 0; read < maxWords; read++) {
    const used = yield* Effect.mapError(readWord(wallet, word), chainRefusal)
    const taking = yield* Effect.mapError(
      store.takeOperationNonce(chain.id, wallet, { word, used }, space),
      storeRefusal
    )
    if (taking._tag === "Taken") return taking.index
    word = taking.word
  }
  return yield* refuse(
    "UNAVAILABLE",
    `The wallet's next ${maxWords * 256} operation nonces on ${chain.name} have already been used. Build again to continue the search with later nonces.`,
    { retryAfter: 1 }
  )
})

/**
 * Returns the index of the previous operation or payment. The new one uses the same index, so at most one of the two can be
 * executed. Checks that the index is unused, but the authoritative check happens when the store accepts the swap.
 */
export const sameIndex = Effect.fnUntraced(function* (
  store: Store.Store,
  chain: EvmChain,
  wallet: string,
  index: bigint,
  space: NonceSpace = "account"
): Effect.fn.Return<bigint, Refusal> {
  const [taken, used] = yield* together([
    Effect.mapError(store.isOperationNonceUsed(chain.id, wallet, index, space), storeRefusal),
    Effect.mapError(usedIn(chain, space)(wallet, index >> 8n), chainRefusal)
  ])
  return taken || ((used >> (index & 0xffn)) & 1n) === 1n ? yield* nonceUsed() : index
})

/**
 * Refuses to reuse the nonce of an operation with a different wallet, chain or delegate, because both operations could
 * then be executed.
 */
export const otherThan = (what: string) =>
  refuse(
    "VALIDATION",
    `previousGeoOpToken: expected an operation with the same ${what}. If you omit previousGeoOpToken, both operations can be executed until the previous one expires.`
  )

/** Checks that the previous operation has the same wallet and chain as the quote. */
export const checkPrevious = (
  { quote }: EvmContext,
  { originChain, wallet }: QuoteContext
): Effect.Effect<void, Refusal> =>
  quote.originChain === originChain && CoreChain.sameAddress("evm", quote.wallet, wallet)
    ? Effect.void
    : Effect.fail(otherThan("wallet and chain"))
