/** Implements the protocol's rules with in-memory maps. This is how `ScriptedTransport` behaves without faults. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Chain from "../Chain.js"
import type * as ChainReader from "../ChainReader.js"
import { Authorization, type Change, isZeroAddress } from "../Delegation.js"
import type { Hex } from "../Hex.js"
import { parseJson } from "../codecs/decodeResponse.js"
import { canPayByAuthorization, type Deployment, GeoOp, nonceSpaceOf } from "../Operation.js"
import { type Method, methods, Payment, permit2Nonces } from "../Payment.js"
import {
  IndicativeQuoteResponse,
  indicativeRequest,
  IndicativeQuoteRequest,
  lifetimeMillis,
  QuoteResponse,
  QuoteRequest,
  request as checkRequest
} from "../Quote.js"
import { type Status, Swap } from "../Swap.js"
import type { InvalidInput } from "../SwapError.js"
import type { Endpoint, HttpRequest, HttpResponse } from "../Transport.js"
import type { ChainLibrary } from "./ChainLibrary.js"
import { digest } from "./fakeSignatures.js"
import { termsOf } from "./TestSigner.js"

/** How swaps end. */
export type Outcome = Exclude<Status, "pending"> | "never"

/** The service's configuration. */
export interface Rules {
  readonly library: ChainLibrary
  readonly chains: ReadonlyArray<Chain.Chain>
  readonly deploymentOf: (chainId: number) => Deployment | undefined
  readonly familyOf: (chainId: number) => Chain.Family
}

/** The id of the order for a quote. */
const orderIdOf = (quoteId: string): Hex => digest(`order ${quoteId}`)

interface QuoteEntry {
  readonly id: string
  readonly account: string
  readonly request: QuoteRequest
  readonly quote: QuoteResponse
  readonly until: number
}

interface OperationEntry {
  readonly family: Chain.Family
  readonly entry: QuoteEntry
  /** The hash or the transaction to sign. */
  readonly payload: string
  readonly authorization?: Authorization
  /** EVM only: the operation's or payment's nonce. The wallet can use a nonce only once in its nonce space. */
  readonly nonce?: bigint
  /** EVM only: the payment, if the wallet pays without a delegation. */
  readonly payment?: Payment
  readonly until: number
  /** The time at which the chain stops accepting the operation, even if a fault changes `until`. */
  readonly deadline: number
}

interface SwapEntry {
  readonly account: string
  readonly operation: OperationEntry
  readonly ends: number
  readonly done: Deferred.Deferred<void>
  swap: Swap
}

interface ChangeEntry {
  readonly account: string
  readonly key: string
  readonly authorization: Authorization
  readonly ends: number
  change: Change
}

/** The service's state, which tests can change. */
export class State {
  readonly quotes = new Map<string, QuoteEntry>()
  readonly operations = new Map<string, OperationEntry>()
  readonly swaps = new Map<string, SwapEntry>()
  readonly delegations = new Map<string, string>()
  readonly nonces = new Map<string, number>()
  /** The delegation changes, by wallet, chain and nonce. */
  readonly changes = new Map<string, ChangeEntry>()
  serial = 0
  outcome: Outcome = "settled"
  /** Milliseconds from the submit call to the end of the swap. */
  duration = 3_000
  /** Output per input, in basis points. */
  priceBps = 10_000
  /** How wallets can pay. `undefined`: the service knows only delegations. */
  paymentMethods: ReadonlyArray<Method> | undefined = undefined
}

const holdMillis = 15_000
const operationMillis = 90_000

/** An error response. */
interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, string>>
}

/** The map key for a wallet on a chain. */
export const walletKey = (chainId: number, wallet: string): string => `${chainId}:${wallet.toLowerCase()}`

const refuse = (
  status: number,
  code: string,
  message: string,
  details?: Refusal["details"]
): Effect.Effect<never, Refusal> => Effect.fail({ status, code, message, ...(details && { details }) })
const invalidToken = () => refuse(401, "INVALID_TOKEN", "The token was modified or belongs to another call.")

const decodeRequest = Schema.decodeUnknownOption(QuoteRequest)
const decodeIndicative = Schema.decodeUnknownOption(IndicativeQuoteRequest)
const decodeAuthorization = Schema.decodeUnknownOption(Authorization)
const encodeQuote = Schema.encodeSync(QuoteResponse)
const encodeIndicative = Schema.encodeSync(IndicativeQuoteResponse)
const encodeGeoOp = Schema.encodeSync(GeoOp)
const encodePayment = Schema.encodeSync(Payment)
const encodeSwap = Schema.encodeSync(Swap)

/** The fields in a request body. */
export const fieldsOf = (request: HttpRequest): Readonly<Record<string, unknown>> => ({
  ...(parseJson(request.body ?? "{}") as object)
})

const textField = (request: HttpRequest, field: string) =>
  Effect.suspend(() => {
    const value = fieldsOf(request)[field]
    return typeof value === "string" && value !== ""
      ? Effect.succeed(value)
      : refuse(400, "VALIDATION", `${field} is required and cannot be empty.`)
  })

/** The price of a swap. It is the same for every wallet. */
const priceOf = (state: State, rules: Rules, request: IndicativeQuoteRequest | QuoteRequest) => {
  const price = BigInt(state.priceBps)
  const output = (request.amount * price) / 10_000n
  return output === 0n
    ? refuse(
        422,
        "NEEDS_LARGER_SIZE",
        "The amount is too small to swap.",
        price === 0n ? undefined : { minimum: `${(10_000n + price - 1n) / price}` }
      )
    : Effect.succeed({
        output,
        minOutput: (output * BigInt(10_000 - (request.slippageBps ?? 50))) / 10_000n,
        feeBps: 12.5,
        origin: rules.familyOf(request.originChain),
        networkCost: 0n
      })
}

/** How a wallet can pay for a quote. */
const methodsOf = (state: State, rules: Rules, request: IndicativeQuoteRequest | QuoteRequest) => {
  const { walletAddress, originChain } = request
  if (state.paymentMethods === undefined || walletAddress === undefined || rules.familyOf(originChain) !== "evm") {
    return {}
  }
  const possible = canPayByAuthorization({ ...request, walletAddress })
  const paymentMethods = state.paymentMethods.filter((method) => method !== "eip3009" || possible)
  const message = "The wallet is delegated to another provider, and the token has no other way to pay."
  const paymentProblem = { code: "UNSUPPORTED_DELEGATION", message }
  return paymentMethods.length > 0 ? { paymentMethods } : { paymentMethods, paymentProblem }
}

/** Validates a quote request. */
const checked = <A>(rules: Rules, request: Effect.Effect<A, InvalidInput>): Effect.Effect<A, Refusal> =>
  request.pipe(
    Effect.provideService(Chain.Families, rules.familyOf),
    Effect.catch((error) => refuse(400, "VALIDATION", error.message))
  )

const indicativeQuote = Effect.fnUntraced(function* (state: State, rules: Rules, http: HttpRequest) {
  const decoded = decodeIndicative(fieldsOf(http))
  if (decoded._tag === "None") return yield* refuse(400, "VALIDATION", "The body is not a quote request.")
  const request = yield* checked(rules, indicativeRequest(decoded.value))
  const price = yield* priceOf(state, rules, request)
  return encodeIndicative({ indicative: true, ...price, ...methodsOf(state, rules, request) })
})

const quote = Effect.fnUntraced(function* (state: State, rules: Rules, account: string, http: HttpRequest) {
  if (fieldsOf(http)["indicative"] === true) return yield* indicativeQuote(state, rules, http)
  const decoded = decodeRequest(fieldsOf(http))
  if (decoded._tag === "None") return yield* refuse(400, "VALIDATION", "The body is not a quote request.")
  const request = yield* checked(rules, checkRequest(decoded.value))
  const now = yield* Clock.currentTimeMillis
  const serial = ++state.serial
  const offered: QuoteResponse = {
    geoQuoteToken: `gq1.test.${digest(`quote ${serial}`).slice(2)}`,
    ...(yield* priceOf(state, rules, request)),
    ...methodsOf(state, rules, request),
    expiresAt: new Date(now + lifetimeMillis)
  }
  state.quotes.set(offered.geoQuoteToken, {
    id: `q${serial}`,
    account,
    request,
    quote: offered,
    until: now + lifetimeMillis
  })
  return encodeQuote(offered)
})

const delegation = (state: State, rules: Rules, chainId: number, wallet: string) => {
  if (rules.familyOf(chainId) === "solana") {
    return Effect.succeed({ chainId, walletAddress: wallet, delegated: true, originReady: true })
  }
  const deployment = rules.deploymentOf(chainId)
  if (deployment === undefined || !Chain.isAddress("evm", wallet)) {
    return refuse(400, "VALIDATION", "chainId or walletAddress is invalid.")
  }
  const key = walletKey(chainId, wallet)
  const delegatedTo = state.delegations.get(key)
  const delegated = delegatedTo !== undefined && (deployment.delegates ?? []).includes(delegatedTo)
  return Effect.succeed({
    chainId,
    walletAddress: wallet,
    delegated,
    originReady: delegated,
    ...(delegatedTo !== undefined && { delegatedTo }),
    ...(!delegated && { delegationTarget: deployment.delegates?.[0] }),
    accountNonce: state.nonces.get(key) ?? 0
  })
}

/**
 * Fails if the wallet is delegated to another provider, or if it is not delegated and the authorization is missing
 * or invalid.
 */
const checkDelegation = Effect.fnUntraced(function* (
  state: State,
  rules: Rules,
  request: QuoteRequest,
  authorization: Authorization | undefined
) {
  const { originChain, walletAddress } = request
  const key = walletKey(originChain, walletAddress)
  const current = state.delegations.get(key)
  const delegates = rules.deploymentOf(originChain)?.delegates ?? []
  if (current !== undefined && delegates.includes(current)) return
  if (current !== undefined) return yield* refuse(422, "UNSUPPORTED_DELEGATION", "Delegated to another provider.")
  if (authorization === undefined) return yield* refuse(409, "NEEDS_DELEGATION", "Attach an authorization.")
  const signer = yield* Effect.promise(async () => rules.library.recoverAuthorization(authorization))
  const fits =
    authorization.chainId === originChain &&
    delegates.includes(authorization.address) &&
    authorization.nonce === (state.nonces.get(key) ?? 0) &&
    signer !== undefined &&
    Chain.sameAddress("evm", signer, walletAddress)
  if (!fits)
    return yield* refuse(
      409,
      "INVALID_AUTHORIZATION",
      "The authorization is stale or invalid: sign it with the current nonce."
    )
})

const spaceOf = ({ payment }: Pick<OperationEntry, "payment">) => nonceSpaceOf(payment?.method ?? "delegation")

/** Whether a swap with this nonce was accepted and has not failed. */
const isNonceUsed = (
  state: State,
  originChain: number,
  walletAddress: string,
  nonce: bigint,
  space: ReturnType<typeof spaceOf> = "delegation"
): boolean =>
  [...state.swaps.values()].some(
    ({ operation, swap }) =>
      swap.status !== "failed" &&
      operation.nonce === nonce &&
      spaceOf(operation) === space &&
      operation.entry.request.originChain === originChain &&
      Chain.sameAddress("evm", operation.entry.request.walletAddress, walletAddress)
  )

const nonceUsed = () => refuse(409, "NONCE_USED", "Another swap with this nonce has been accepted.")

/**
 * The nonce for a new operation. If the request contains the token of a refused operation, that operation's nonce is
 * reused.
 */
const nonceOf = Effect.fnUntraced(function* (
  state: State,
  account: string,
  http: HttpRequest,
  request: QuoteRequest,
  method: Method
) {
  const space = nonceSpaceOf(method)
  if (fieldsOf(http)["previousGeoOpToken"] === undefined) {
    return BigInt(state.serial) + (space === "permit2" ? permit2Nonces : 0n)
  }
  const token = yield* textField(http, "previousGeoOpToken")
  const previous = state.operations.get(token)
  const { entry, nonce } = previous ?? {}
  if (entry === undefined || nonce === undefined || entry.account !== account) return yield* invalidToken()
  const { originChain, walletAddress } = entry.request
  if (originChain !== request.originChain || !Chain.sameAddress("evm", walletAddress, request.walletAddress)) {
    return yield* refuse(400, "VALIDATION", "previousGeoOpToken belongs to another wallet or chain.")
  }
  if (space === "eip3009" || spaceOf(previous ?? {}) !== space) {
    return yield* refuse(400, "VALIDATION", "previousGeoOpToken belongs to another payment method.")
  }
  return isNonceUsed(state, originChain, walletAddress, nonce, space) ? yield* nonceUsed() : nonce
})

/** The payment method in a build call. */
const methodOf = (http: HttpRequest): Effect.Effect<Method, Refusal> => {
  const { paymentMethod = "delegation", authorization } = fieldsOf(http)
  const method = (["delegation", ...methods] as const).find((known) => known === paymentMethod)
  if (method === undefined) return refuse(400, "VALIDATION", "paymentMethod is unknown.")
  return method !== "delegation" && authorization !== undefined
    ? refuse(400, "VALIDATION", "authorization is only valid with a delegation.")
    : Effect.succeed(method)
}

/** Builds a payment without a delegation. */
const buildPayment = Effect.fnUntraced(function* (
  state: State,
  rules: Rules,
  http: HttpRequest,
  built: Pick<OperationEntry, "entry" | "until"> & { readonly geoOpToken: string; readonly vault: string },
  method: Exclude<Method, "delegation">
) {
  const { entry, geoOpToken, until, vault } = built
  const { request, account, id } = entry
  const { payments } = rules.library
  if (payments === undefined || !methodsOf(state, rules, request).paymentMethods?.includes(method)) {
    return yield* refuse(422, "PAYMENT_METHOD_UNAVAILABLE", `The wallet cannot pay with ${method}.`)
  }
  const fields = {
    chainId: request.originChain,
    wallet: request.walletAddress.toLowerCase() as Hex,
    token: request.inputToken.toLowerCase() as Hex,
    amount: request.amount,
    vault: vault.toLowerCase() as Hex,
    orderId: orderIdOf(id),
    terms: rules.library.hashTerms(termsOf(entry)),
    deadline: Math.floor(until / 1000)
  }
  const domain = { name: "USD Coin", version: "2" }
  const index = yield* nonceOf(state, account, http, request, method)
  const payment: Payment =
    method === "eip3009"
      ? { method, ...fields, domain }
      : method === "permit2"
        ? { method, ...fields, nonce: index }
        : { method, ...fields, nonce: index, domain, permitNonce: 0n }
  const nonce = method === "eip3009" ? BigInt(payments.hashOrder(payment)) : index
  const payload = payments.hashPayment(payment)
  state.operations.set(geoOpToken, { family: "evm", entry, payload, nonce, payment, until, deadline: until })
  return { geoOpHash: payload, geoOpToken, payment: encodePayment(payment) }
})

const build = Effect.fnUntraced(function* (
  state: State,
  rules: Rules,
  account: string,
  http: HttpRequest,
  family: Chain.Family
) {
  const token = yield* textField(http, "geoQuoteToken")
  const entry = state.quotes.get(token)
  if (entry === undefined || entry.account !== account || rules.familyOf(entry.request.originChain) !== family) {
    return yield* invalidToken()
  }
  const now = yield* Clock.currentTimeMillis
  if (now >= entry.until) return yield* refuse(410, "QUOTE_EXPIRED", "The quote has expired.")
  const { request } = entry
  const deployment = rules.deploymentOf(request.originChain)
  if (deployment === undefined) return yield* refuse(422, "NO_ROUTE", "That chain is not supported.")
  const serial = ++state.serial
  const geoOpToken = `go1.test.${digest(`operation ${serial}`).slice(2)}`
  const orderId = orderIdOf(entry.id)
  const terms = rules.library.hashTerms(termsOf(entry))
  const until = now + operationMillis
  if (family === "solana") {
    const payload = yield* Effect.promise(async () =>
      rules.library.buildTransaction({ request, orderId, terms, deployment })
    )
    state.operations.set(geoOpToken, { family, entry, payload, until, deadline: until })
    return { unsignedTransaction: payload, geoOpToken }
  }
  const method = yield* methodOf(http)
  if (method !== "delegation") {
    const { vault } = deployment
    return yield* buildPayment(state, rules, http, { entry, geoOpToken, until, vault }, method)
  }
  const attached = fieldsOf(http)["authorization"]
  const decoded = decodeAuthorization(attached)
  if (attached !== undefined && decoded._tag === "None") {
    return yield* refuse(400, "VALIDATION", "authorization is invalid.")
  }
  const authorization = decoded._tag === "Some" ? decoded.value : undefined
  yield* checkDelegation(state, rules, request, authorization)
  const nonce = yield* nonceOf(state, account, http, request, method)
  const geoOp: GeoOp = {
    chainId: request.originChain,
    wallet: request.walletAddress.toLowerCase() as Hex,
    delegate: deployment.delegates?.[0]?.toLowerCase() as Hex,
    token: request.inputToken.toLowerCase() as Hex,
    amount: request.amount,
    vault: deployment.vault.toLowerCase() as Hex,
    orderId,
    terms,
    nonce,
    deadline: Math.floor(until / 1000)
  }
  const geoOpHash = rules.library.hashOperation(geoOp)
  state.operations.set(geoOpToken, {
    family,
    entry,
    payload: geoOpHash,
    nonce,
    until,
    deadline: until,
    ...(authorization && { authorization })
  })
  return { geoOpHash, geoOpToken, geoOp: encodeGeoOp(geoOp) }
})

/** What the service reports about the terms of a swap. */
const termsReport = ({ request, quote: { feeBps, networkCost, output } }: QuoteEntry) => ({
  input: { chainId: request.originChain, token: request.inputToken, amount: request.amount },
  quotedOutput: { chainId: request.destinationChain, token: request.outputToken, amount: output },
  feeBps,
  ...(networkCost !== undefined && { networkCost }),
  recipient: request.recipient ?? request.walletAddress
})

const submit = Effect.fnUntraced(function* (
  state: State,
  rules: Rules,
  account: string,
  http: HttpRequest,
  family: Chain.Family
) {
  const token = yield* textField(http, "geoOpToken")
  const signed = yield* textField(http, family === "evm" ? "signature" : "signedTransaction")
  const operation = state.operations.get(token)
  if (operation === undefined || operation.family !== family || operation.entry.account !== account) {
    return yield* invalidToken()
  }
  const { request, id } = operation.entry
  const { library } = rules
  const { payment } = operation
  const { permitSignature } = fieldsOf(http)
  if ((payment?.method === "erc2612") !== (typeof permitSignature === "string")) {
    return yield* refuse(400, "VALIDATION", "permitSignature is required exactly for erc2612.")
  }
  const isWallet = (signer: string | undefined) =>
    signer !== undefined && Chain.sameAddress(family, signer, request.walletAddress)
  const isSigned = yield* Effect.promise(async () => {
    const { payload } = operation
    if (family === "solana") return isWallet(await library.recoverTransaction(payload, signed))
    // An operation is signed with personal_sign or as typed data, and a payment only as typed data.
    if (!payment && isWallet(await library.recoverOperation(payload as Hex, signed))) return true
    return isWallet(await library.payments?.recoverTypedData(payload as Hex, signed))
  })
  if (payment?.method === "erc2612") {
    const permitSigner = yield* Effect.promise(async () =>
      library.payments?.recoverTypedData(library.payments.hashPermit(payment), String(permitSignature))
    )
    if (!isWallet(permitSigner)) {
      return yield* refuse(422, "INVALID_SIGNATURE", "The permit's signature does not belong to the wallet.")
    }
  }
  if (!isSigned) {
    return yield* family === "evm"
      ? refuse(422, "INVALID_SIGNATURE", "The signature does not belong to the wallet.")
      : refuse(422, "TRANSACTION_MODIFIED", "Expected the transaction that was built, signed by the wallet.")
  }
  const accepted = Effect.suspend(() => {
    const { operation: other, swap } = state.swaps.get(`swap-${id}`) ?? {}
    return other === undefined || other.payload === operation.payload
      ? Effect.succeed(swap)
      : refuse(409, "QUOTE_ALREADY_USED", "Another operation for this quote has been submitted.")
  })
  const before = yield* accepted
  if (before !== undefined) return before
  const now = yield* Clock.currentTimeMillis
  if (now >= operation.until) return yield* refuse(410, "OPERATION_EXPIRED", "The operation has expired.")
  if (family === "evm" && !payment) yield* checkDelegation(state, rules, request, operation.authorization)
  const meanwhile = yield* accepted
  if (meanwhile !== undefined) return meanwhile
  const { originChain, walletAddress } = request
  if (
    operation.nonce !== undefined &&
    isNonceUsed(state, originChain, walletAddress, operation.nonce, spaceOf(operation))
  ) {
    return yield* nonceUsed()
  }
  const done = Deferred.makeUnsafe<void>()
  const report = { ...termsReport(operation.entry), acceptedAt: new Date(now) }
  const swap: Swap = { swapId: `swap-${id}`, status: "pending", ...report }
  state.swaps.set(swap.swapId, { account, operation, ends: now + state.duration, done, swap })
  return swap
})

/** Ends a swap. When a swap settles, its wallet becomes delegated. */
const end = (state: State, entry: SwapEntry, outcome: Exclude<Outcome, "never">, now: number) => {
  const { swapId } = entry.swap
  const { request } = entry.operation.entry
  const { authorization } = entry.operation
  const { input, quotedOutput } = termsReport(entry.operation.entry)
  const finishedAt = new Date(now)
  entry.swap = {
    ...entry.swap,
    status: outcome,
    finishedAt,
    ...(outcome !== "failed" && { originTxHash: digest(`${swapId} origin`), collectedAt: finishedAt }),
    ...(outcome === "settled" && { deliveryTxHash: digest(`${swapId} delivery`), output: quotedOutput }),
    ...(outcome === "refunded" && {
      refundTxHash: digest(`${swapId} refund`),
      refund: input,
      failureCode: "SLIPPAGE"
    }),
    ...(outcome === "failed" && { failureCode: "INVALID_AUTHORIZATION" })
  }
  if (outcome === "settled" && authorization !== undefined) {
    const key = walletKey(request.originChain, request.walletAddress)
    state.delegations.set(key, authorization.address)
    state.nonces.set(key, (state.nonces.get(key) ?? 0) + 1)
  }
}

const status = Effect.fnUntraced(function* (state: State, account: string, swapId: string) {
  const entry = state.swaps.get(swapId)
  if (entry === undefined || entry.account !== account) return yield* refuse(404, "SWAP_NOT_FOUND", "No such swap.")
  const settle = (due: boolean, now: number) => {
    const { outcome } = state
    if (due && entry.swap.status === "pending" && outcome !== "never") end(state, entry, outcome, now)
    return entry.swap.status !== "pending"
  }
  const startedAt = yield* Clock.currentTimeMillis
  const left = entry.ends - startedAt
  if (!settle(left <= 0, startedAt)) {
    const held = state.outcome === "never" ? holdMillis : Math.min(holdMillis, left)
    yield* Effect.raceFirst(Deferred.await(entry.done), Effect.sleep(held))
    // A timer may fire slightly early. Treat the full sleep as elapsed anyway.
    settle(held >= left, yield* Clock.currentTimeMillis)
  }
  return entry.swap
})

/** Changes a delegation without a swap. */
const changeDelegation = Effect.fnUntraced(function* (state: State, rules: Rules, account: string, http: HttpRequest) {
  const wallet = yield* textField(http, "walletAddress")
  const decoded = decodeAuthorization(fieldsOf(http)["authorization"])
  if (decoded._tag === "None") return yield* refuse(400, "VALIDATION", "authorization is invalid.")
  const { value: authorization } = decoded
  const { address, chainId, nonce } = authorization
  const deployment = rules.deploymentOf(chainId)
  if (deployment === undefined || rules.familyOf(chainId) !== "evm" || !Chain.isAddress("evm", wallet)) {
    return yield* refuse(400, "VALIDATION", "authorization.chainId or walletAddress is invalid.")
  }
  const key = walletKey(chainId, wallet)
  const existing = state.changes.get(`${key}:${nonce}`)
  if (existing !== undefined && existing.change.status !== "failed") {
    return existing.account === account && existing.authorization.address === address
      ? existing.change
      : yield* refuse(409, "NONCE_USED", "Another change with this nonce has been accepted.")
  }
  const delegates = deployment.delegates ?? []
  const removes = isZeroAddress(address)
  const signer = yield* Effect.promise(async () => rules.library.recoverAuthorization(authorization))
  const fits =
    (removes || address === delegates[0]) &&
    nonce === (state.nonces.get(key) ?? 0) &&
    signer !== undefined &&
    Chain.sameAddress("evm", signer, wallet)
  if (!fits) return yield* refuse(409, "INVALID_AUTHORIZATION", "The authorization is stale or invalid.")
  const current = state.delegations.get(key)
  if (current !== undefined && !delegates.includes(current)) {
    return yield* refuse(422, "UNSUPPORTED_DELEGATION", "Delegated to another provider.")
  }
  if (current === (removes ? undefined : address)) {
    return yield* refuse(409, "NOTHING_TO_CHANGE", "The wallet's delegation is already as requested.")
  }
  const busy = [...state.swaps.values()].some(({ operation: { entry }, swap: { status: swapStatus } }) => {
    const { originChain, walletAddress } = entry.request
    return swapStatus === "pending" && walletKey(originChain, walletAddress) === key
  })
  if (busy) return yield* refuse(409, "SWAP_IN_PROGRESS", "A swap of this wallet is in progress.")
  const changeId = `change-${++state.serial}`
  const now = yield* Clock.currentTimeMillis
  const change: Change = { changeId, status: "pending", chainId, walletAddress: wallet }
  state.changes.set(`${key}:${nonce}`, { account, key, authorization, ends: now + state.duration, change })
  return change
})

/** Applies a change, or fails it if the account's nonce has changed in the meantime. */
const settleChange = (state: State, entry: ChangeEntry) => {
  const { authorization, change, key } = entry
  const applies = (state.nonces.get(key) ?? 0) === authorization.nonce
  if (applies) {
    state.nonces.set(key, authorization.nonce + 1)
    if (isZeroAddress(authorization.address)) state.delegations.delete(key)
    else state.delegations.set(key, authorization.address)
  }
  entry.change = applies
    ? { ...change, status: "applied", txHash: digest(change.changeId) }
    : { ...change, status: "failed", failureCode: "INVALID_AUTHORIZATION" }
}

const delegationStatus = Effect.fnUntraced(function* (state: State, account: string, changeId: string) {
  const entry = [...state.changes.values()].find(({ change }) => change.changeId === changeId)
  if (entry === undefined || entry.account !== account) {
    return yield* refuse(404, "CHANGE_NOT_FOUND", "No such delegation change.")
  }
  if (entry.change.status === "pending" && state.outcome !== "never") {
    yield* Effect.sleep(Math.max(0, entry.ends - (yield* Clock.currentTimeMillis)))
    if (entry.change.status === "pending") settleChange(state, entry)
  }
  return entry.change
})

/** What the vaults have paid, as an honest node shows it. */
const payoutOf = (state: State, rules: Rules, query: ChainReader.PayoutQuery): bigint => {
  for (const { operation, swap } of state.swaps.values()) {
    const { id, request } = operation.entry
    const isDelivery = query.kind === "delivery"
    const paid = isDelivery ? swap.output : swap.refund
    const vault = rules.deploymentOf(query.chainId)?.vault
    const isPaid =
      query.txHash === (isDelivery ? swap.deliveryTxHash : swap.refundTxHash) &&
      query.orderId === orderIdOf(id) &&
      query.recipient === (isDelivery ? (request.recipient ?? request.walletAddress) : request.walletAddress) &&
      vault !== undefined &&
      query.vaults.includes(vault)
    if (isPaid && paid?.chainId === query.chainId && paid.token === query.token) return paid.amount
  }
  return 0n
}

/** Readers backed by an honest node that belongs to the caller, serves the same chains and is never behind. */
export const readersOf = (state: State, rules: Rules): Required<ChainReader.ChainReader> => {
  const token = () => Effect.succeed({ decimals: 6, symbol: "USDC" })
  const payout = (query: ChainReader.PayoutQuery) => Effect.sync(() => payoutOf(state, rules, query))
  const stateAfter = (used: boolean, until: number): Effect.Effect<ChainReader.SignedState> =>
    Effect.map(Clock.currentTimeMillis, (now) => (used ? "used" : now >= until ? "expired" : "open"))
  return {
    evm: {
      token,
      payout,
      accountNonce: ({ chainId, address }) => Effect.sync(() => state.nonces.get(walletKey(chainId, address)) ?? 0),
      accountCode: ({ chainId, address }) =>
        Effect.sync((): Hex => {
          const delegate = state.delegations.get(walletKey(chainId, address))
          return delegate === undefined ? "0x" : `0xef0100${delegate.slice(2).toLowerCase()}`
        }),
      operationState: ({ chainId, wallet, nonce, deadline }) =>
        Effect.suspend(() => stateAfter(isNonceUsed(state, chainId, wallet, nonce), deadline * 1000)),
      paymentState: ({ chainId, wallet, method, nonce, deadline }) =>
        Effect.suspend(() =>
          stateAfter(isNonceUsed(state, chainId, wallet, nonce, nonceSpaceOf(method)), deadline * 1000)
        )
    },
    solana: {
      token,
      payout,
      transactionState: Effect.fnUntraced(function* ({ signedTransaction }) {
        for (const operation of state.operations.values()) {
          if (operation.family !== "solana") continue
          const { payload, deadline } = operation
          // Once the swap id is known, callers keep the transaction as it was built, with empty signatures.
          const signer =
            signedTransaction === payload
              ? operation.entry.request.walletAddress
              : yield* Effect.promise(async () => rules.library.recoverTransaction(payload, signedTransaction))
          const used = [...state.swaps.values()].some(
            ({ operation: other, swap }) => other === operation && swap.status !== "failed"
          )
          if (signer !== undefined) return yield* stateAfter(used, deadline)
        }
        return "open" as const
      })
    }
  }
}

/** Ends a swap now, and answers waiting status requests. */
export const finish = (state: State, swapId: string, outcome: Exclude<Outcome, "never">): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const entry = state.swaps.get(swapId)
    if (entry === undefined || entry.swap.status !== "pending") return Effect.void
    end(state, entry, outcome, now)
    return Effect.asVoid(Deferred.succeed(entry.done, undefined))
  })

const route = (state: State, rules: Rules, account: string, http: HttpRequest): Effect.Effect<unknown, Refusal> => {
  const [path = "", query = ""] = http.path.split("?")
  const parts = path.split("/").slice(3).map(decodeURIComponent)
  const params = new URLSearchParams(query)
  const handlers: Readonly<Record<Endpoint, () => Effect.Effect<unknown, Refusal>>> = {
    quote: () => quote(state, rules, account, http),
    delegation: () =>
      delegation(
        state,
        rules,
        Number(parts[0] ?? params.get("chainId")),
        parts[1] ?? params.get("walletAddress") ?? ""
      ),
    "change-delegation": () => changeDelegation(state, rules, account, http),
    "delegation-status": () => delegationStatus(state, account, parts[0] ?? ""),
    "build-geo-op": () => build(state, rules, account, http, "evm"),
    "build-solana-tx": () => build(state, rules, account, http, "solana"),
    submit: () => Effect.map(submit(state, rules, account, http, "evm"), encodeSwap),
    "submit-solana": () => Effect.map(submit(state, rules, account, http, "solana"), encodeSwap),
    status: () => Effect.map(status(state, account, parts[0] ?? ""), encodeSwap),
    chains: () => Effect.succeed({ chains: rules.chains.map(({ family, ...chain }) => ({ ...chain, kind: family })) })
  }
  return Effect.suspend(handlers[http.endpoint])
}

/** Handles a request from an account. `undefined` stands for an invalid API key. */
export const handle = (
  state: State,
  rules: Rules,
  account: string | undefined,
  http: HttpRequest
): Effect.Effect<HttpResponse> => {
  const requestId = `request-${++state.serial}`
  const answer = (code: number, body: unknown): HttpResponse => ({
    status: code,
    headers: { "content-type": "application/json", "x-request-id": requestId, "cache-control": "no-store" },
    body: JSON.stringify(body)
  })
  const routed =
    account === undefined
      ? refuse(401, "UNAUTHORIZED", "The API key is missing or unknown.")
      : route(state, rules, account, http)
  return Effect.match(routed, {
    onSuccess: (body) => answer(200, body),
    onFailure: ({ status: code, ...refusal }) => answer(code, { ...refusal, requestId })
  })
}
