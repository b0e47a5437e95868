/**
 * How a wallet can pay: which methods the service offers for a quote, and why the others are impossible. The same rules
 * apply to quotes, builds and submissions.
 */
import { Chain as CoreChain, type Payment, type Quote } from "@geoswap/core"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../chains/ChainError.js"
import type { Chain, EvmChain } from "../chains/Chains.js"
import type { PaymentMethod, WalletDelegation } from "../chains/Wallet.js"
import { together } from "../concurrency/together.js"
import * as WarmReads from "../concurrency/warmReads.js"
import { addressKey } from "../domain/addressKey.js"
import type { LostCollection } from "../domain/LostCollection.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import type { Parties, ResolvedSwap } from "../pricing/resolveSwap.js"
import type { Store } from "../store/Store.js"
import type { StoreUnavailable } from "../store/StoreError.js"

/** A swap, as far as its payment depends on it. */
export interface PaymentQuery {
  /** The account that asks. An indicative quote is the same for all accounts. */
  readonly account: string | undefined
  /** The visitor to the page, if a swap is submitted. */
  readonly visitor?: string | undefined
  readonly origin: EvmChain
  readonly destination: Pick<Chain, "family">
  readonly wallet: string
  readonly token: string
  readonly amount: bigint
  readonly recipient: string | undefined
}

/** Who pays, as far as past losses are concerned. */
type LossQuery = Pick<PaymentQuery, "account" | "origin" | "visitor" | "wallet">

/** Why a method does not work, or the other provider's contract that the wallet delegates to, if its code is asked. */
interface Answer {
  readonly why?: string
  readonly target?: string
}

/** Why losses of the past, or anything else that a method depends on, cannot be read. */
type Unavailable = ChainUnavailable | StoreUnavailable

export interface PaymentMethods {
  /** Refuses an operation of the wallet's account, if too much was lost with such operations. */
  readonly requireDelegation: (query: LossQuery) => Effect.Effect<void, Refusal | StoreUnavailable>
  /** Lists the methods for a quote. Reads the reverted collections at most every few seconds. */
  readonly list: (
    query: PaymentQuery
  ) => Effect.Effect<Pick<Quote.QuoteResponse, "paymentMethods" | "paymentProblem">, Unavailable>
  /**
   * Refuses a method that is not possible. Returns the other provider's contract that the wallet delegates to, if its code
   * is asked. After the wallet has signed (`isSigned`), its code is read at the latest block, because it may just have
   * changed, and the simulation of the collection decides about the allowance: a third party may have submitted the permit.
   */
  readonly require: (
    query: PaymentQuery,
    method: PaymentMethod,
    options?: { readonly isSigned?: boolean }
  ) => Effect.Effect<Pick<Answer, "target">, Refusal | Unavailable>
}

const hourMillis = 3_600_000
/**
 * An account can lose half of the budget, so that it cannot stop a method for the others. A visitor to the page, whose
 * account all visitors share, can lose a twentieth.
 */
const accountShare = 2n
const visitorShare = 20n
/** How long a strike counts. */
const strikeMillis = 24 * hourMillis
/** How long quotes use the reverted collections that were read before. */
const cachedMillis = 2_000

export const unavailableMethod = (method: Payment.Method, why: string): Refusal =>
  refuse(
    "PAYMENT_METHOD_UNAVAILABLE",
    `The wallet cannot pay with ${method}: ${why}. Use another of the quote's paymentMethods, or request a new quote.`
  )

/** Whether the recipient can be meant: not zero, and not an EVM address where Solana addresses are expected. */
const isPlausible = ({ destination, recipient }: PaymentQuery): boolean => {
  if (recipient === undefined) return true
  const word = CoreChain.toWord(recipient)
  return destination.family === "evm" ? word !== 0n : word >> 160n !== 0n
}

/** Whether the output returns to the wallet on an EVM chain. A wallet cannot display another recipient with `eip3009`. */
export const returnsToWallet = ({
  destination,
  recipient,
  wallet
}: Pick<PaymentQuery, "destination" | "recipient" | "wallet">): boolean =>
  destination.family === "evm" && (recipient === undefined || CoreChain.sameAddress("evm", recipient, wallet))

/** Why the losses of the past rule a method out. */
const lossAt = (
  { account, origin: { losses: limits, payments }, visitor, wallet }: LossQuery,
  losses: ReadonlyArray<LostCollection>,
  now: number,
  method: Payment.Method,
  target: string | undefined
): string | undefined => {
  if (losses.length === 0) return undefined
  const hour = now - (now % hourMillis)
  const ofHour = losses.filter((lost) => lost.method === method && lost.at >= hour)
  const gasOf = (some: ReadonlyArray<LostCollection>) => some.reduce((sum, { gas }) => sum + gas, 0n)
  const budget = BigInt(limits.gasPerHour)
  const ofVisitor = visitor === undefined ? [] : ofHour.filter((lost) => lost.visitor === visitor)
  if (
    gasOf(ofHour) >= budget ||
    gasOf(ofHour.filter((lost) => lost.account === account)) * accountShare >= budget ||
    gasOf(ofVisitor) * visitorShare >= budget
  ) {
    return "too many payments with this method have failed on this chain in this hour. Try again in the next hour"
  }
  const strikes = losses.filter(({ at, isStrike }) => isStrike && at > now - strikeMillis)
  if (strikes.filter((lost) => lost.wallet === addressKey(wallet)).length >= limits.strikes) {
    return "too many payments from this wallet have failed in the last 24 hours"
  }
  // A single wallet must not rule out a contract for all others.
  const struck = new Set(
    strikes.flatMap((lost) => (target !== undefined && lost.target === addressKey(target) ? [lost.wallet] : []))
  )
  if (struck.size >= payments.limits.strikesPerTarget) {
    return `too many payments from wallets that delegate to ${target} have failed in the last 24 hours`
  }
  return undefined
}

/** What does not depend on the method. */
interface Facts {
  readonly delegation: WalletDelegation
  /** The allowance of Permit2, if a method depends on it and the wallet has not signed. */
  readonly allowance: bigint | undefined
}

/** Checks the rules for a wallet's allowance and the recipient. */
const ruleOf = (query: PaymentQuery, method: PaymentMethod, { allowance }: Facts): string | undefined => {
  if (!isPlausible(query)) return "the recipient is not an address that can receive the output"
  switch (method) {
    case "eip3009":
      return returnsToWallet(query)
        ? undefined
        : "the recipient must be the wallet itself on an EVM chain, because the wallet cannot display another recipient"
    case "permit2":
      return allowance === undefined || allowance >= query.amount
        ? undefined
        : "the wallet has not approved Permit2 for this amount of the token"
    case "erc2612":
      return allowance === undefined || allowance < query.amount
        ? undefined
        : "the wallet has already approved Permit2 for this amount, and a permit would replace that approval"
  }
}

/** Checks a wallet's code. */
export const codeAnswer = Effect.fnUntracedEager(function* (
  { origin, token }: Pick<PaymentQuery, "origin" | "token">,
  method: PaymentMethod,
  { delegation, delegatedTo }: WalletDelegation
): Effect.fn.Return<Answer, ChainUnavailable> {
  if (delegation !== "foreign") return {}
  if (delegatedTo === undefined) return { why: "the wallet is a contract, which cannot sign" }
  const answer = yield* Effect.catch(origin.payments.askCode(token, method, delegatedTo), (error) =>
    error.timeout
      ? Effect.fail(error)
      : Effect.succeed({
          _tag: "Impossible" as const,
          message: "the service cannot find out whether the wallet's code accepts the signature"
        })
  )
  if (answer._tag === "Impossible") return { why: answer.message }
  return answer.asks ? { target: delegatedTo } : {}
})

const foreignCode = "the wallet's account already has other code, which the service never replaces"

const usesPermit2 = (method: PaymentMethod): boolean => method !== "eip3009"

export const make = (clock: Clock.Clock, { losses }: Pick<Store, "losses">): PaymentMethods => {
  const read = ({ id }: EvmChain) => losses.since(id, clock.currentTimeMillisUnsafe() - strikeMillis)
  const cached = WarmReads.make<ReadonlyArray<LostCollection>, StoreUnavailable>(clock, {
    capacity: 1_000,
    ttlMillis: cachedMillis
  })
  const recent = (origin: EvmChain) => cached(`${origin.id}`, () => read(origin))
  const lossOf = (query: LossQuery, past: ReadonlyArray<LostCollection>, method: Payment.Method, target?: string) =>
    lossAt(query, past, clock.currentTimeMillisUnsafe(), method, target)

  const answerOf = Effect.fnUntracedEager(function* (
    query: PaymentQuery,
    method: Payment.Method,
    facts: Facts,
    past: ReadonlyArray<LostCollection>
  ): Effect.fn.Return<Answer, ChainUnavailable> {
    const isForeign = facts.delegation.delegation === "foreign"
    const rule = method === "delegation" ? (isForeign ? foreignCode : undefined) : ruleOf(query, method, facts)
    if (rule !== undefined) return { why: rule }
    const code = method === "delegation" ? {} : yield* codeAnswer(query, method, facts.delegation)
    if (code.why !== undefined) return code
    const why = lossOf(query, past, method, code.target)
    return why === undefined ? code : { why }
  })

  return {
    list: Effect.fnUntracedEager(function* (query) {
      const { origin, token, wallet } = query
      const methods = origin.payments.methodsOf(token)
      const [delegation, allowance, past] = yield* together([
        origin.delegationOf(wallet),
        methods.some(usesPermit2) ? origin.payments.allowanceOf(token, wallet) : Effect.undefined,
        recent(origin)
      ])
      const works: Array<Payment.Method> = []
      const reasons: Array<string> = []
      for (const method of ["delegation", ...methods] as const) {
        const { why } = yield* answerOf(query, method, { delegation, allowance }, past)
        if (why === undefined) works.push(method)
        else reasons.push(`${method}: ${why}`)
      }
      if (works.length > 0) return { paymentMethods: works }
      const message = `The wallet cannot pay with this token on ${origin.name}. ${reasons.join(". ")}. Use another wallet or another token.`
      const code = delegation.delegation === "foreign" ? "UNSUPPORTED_DELEGATION" : "PAYMENT_METHOD_UNAVAILABLE"
      return { paymentMethods: [], paymentProblem: { code, message } }
    }),
    requireDelegation: (query) =>
      Effect.flatMapEager(recent(query.origin), (past) => {
        const loss = lossOf(query, past, "delegation")
        return loss === undefined ? Effect.void : Effect.fail(unavailableMethod("delegation", loss))
      }),
    require: Effect.fnUntraced(function* (query, method, { isSigned = false } = {}) {
      const { origin, token, wallet } = query
      if (!origin.payments.methodsOf(token).includes(method)) {
        return yield* unavailableMethod(method, "the service does not offer this method for the input token")
      }
      const [delegation, allowance, past] = yield* together([
        isSigned ? origin.walletState(wallet) : origin.delegationOf(wallet),
        usesPermit2(method) && !isSigned ? origin.payments.allowanceOf(token, wallet) : Effect.undefined,
        read(origin)
      ])
      const { why, ...answer } = yield* answerOf(query, method, { delegation, allowance }, past)
      return why === undefined ? answer : yield* unavailableMethod(method, why)
    })
  }
}

/** The payment fields of a quote for a swap. A quote that does not name a wallet, or starts on Solana, has none. */
export const methodsOf = (
  { list }: PaymentMethods,
  account: string | undefined,
  { amount, destination, inputToken, origin }: ResolvedSwap,
  { recipient, wallet }: Parties
) =>
  origin.family !== "evm" || wallet === undefined
    ? Effect.succeed({})
    : list({ account, origin, destination, wallet, token: inputToken.address, amount, recipient })
