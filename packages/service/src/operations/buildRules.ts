/** The rules that builds of operations, payments and transactions share: lifetimes and nonces. */
import { Chain as CoreChain } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { EvmChain } from "../chains/Chains.js"
import { together } from "../concurrency/together.js"
import { refuse } from "../domain/Refusal.js"
import type { NonceSpace } from "../store/acceptance/NonceWord.js"
import type * as Store from "../store/Store.js"
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

/**
 * The time until which an operation or a payment can be submitted, and its deadline on the chain. Refuses an expired
 * quote. A quote is valid for less than 30 seconds.
 */
export const lifetimeOf = Effect.fnUntraced(function* ({ expiresAt }: QuoteContext) {
  const now = yield* Clock.currentTimeMillis
  if (now >= expiresAt) {
    return yield* refuse("QUOTE_EXPIRED", "The quote has expired. Request a new quote and build again.")
  }
  const until = now + submitMillis
  return { until, deadline: Math.ceil(until / 1000) + executionSeconds }
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
const unusedIndex = Effect.fnUntraced(function* (
  store: Store.Store,
  chain: EvmChain,
  wallet: string,
  space: NonceSpace
) {
  const readWord = usedIn(chain, space)
  let word = yield* store.operationWord(chain.id, wallet, space)
  for (let read = 0; read < maxWords; read++) {
    const used = yield* readWord(wallet, word)
    const taking = yield* store.takeOperationNonce(chain.id, wallet, { word, used }, space)
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
const sameIndex = Effect.fnUntraced(function* (
  store: Store.Store,
  chain: EvmChain,
  wallet: string,
  space: NonceSpace,
  index: bigint
) {
  const [taken, used] = yield* together([
    store.isOperationNonceUsed(chain.id, wallet, index, space),
    usedIn(chain, space)(wallet, index >> 8n)
  ])
  return taken || ((used >> (index & 0xffn)) & 1n) === 1n ? yield* nonceUsed() : index
})

/** Returns the index of a new operation or payment: that of the previous one, or else an unused one. */
export const indexFor = (
  store: Store.Store,
  chain: EvmChain,
  wallet: string,
  space: NonceSpace,
  previous: bigint | undefined
) =>
  previous === undefined ? unusedIndex(store, chain, wallet, space) : sameIndex(store, chain, wallet, space, previous)

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
export const checkPrevious = ({ quote }: EvmContext, { originChain, wallet }: QuoteContext) =>
  quote.originChain === originChain && CoreChain.sameAddress("evm", quote.wallet, wallet)
    ? Effect.void
    : Effect.fail(otherThan("wallet and chain"))
