/** A client written only from docs/protocol.md, with fetch, viem and kit. */
import { getBase64EncodedWireTransaction, partiallySignTransaction } from "@solana/kit"
import type { Hex, PrivateKeyAccount } from "viem"
import { checkOperation, checkTransaction, must } from "./verify.js"

/** The URL of the service, and the API key. */
export interface Service {
  readonly url: string
  readonly apiKey: string
  /** Replaces `fetch` in tests that record requests. */
  readonly fetch?: (url: string, init?: RequestInit) => Promise<Response>
}

/** The service on one chain, as its operator publishes it: pinned here, never read from a response. */
export interface Deployment {
  readonly vault: string
  /** EVM: the contract that wallets are delegated to. */
  readonly delegate?: string
  /** Solana: the fee payer. */
  readonly relayer?: string
}

export interface QuoteRequest {
  readonly originChain: number
  readonly destinationChain: number
  readonly inputToken: string
  readonly outputToken: string
  readonly amount: string
  readonly walletAddress: string
  readonly recipient?: string
  readonly slippageBps?: number
}

export interface Quote {
  readonly geoQuoteToken: string
  readonly output: string
  readonly minOutput: string
  readonly networkCost: string
  readonly expiresAt: string
}

interface Delegation {
  readonly delegated: boolean
  readonly delegatedTo?: string
  readonly delegationTarget?: Hex
  readonly accountNonce?: number
}

export interface Authorization {
  readonly chainId: number
  readonly address: Hex
  readonly nonce: number
  readonly yParity: number
  readonly r: Hex
  readonly s: Hex
}

export interface BuiltOperation {
  readonly geoOpHash: Hex
  readonly geoOpToken: string
  readonly geoOp: {
    readonly chainId: number
    readonly wallet: Hex
    readonly delegate: Hex
    readonly token: Hex
    readonly amount: string
    readonly vault: Hex
    readonly orderId: Hex
    readonly terms: Hex
    readonly nonce: string
    readonly deadline: number
  }
}

export interface BuiltTransaction {
  readonly unsignedTransaction: string
  readonly geoOpToken: string
}

export interface Swap {
  readonly swapId: string
  readonly status: "pending" | "settled" | "failed" | "refunded"
  readonly collectedAt?: string
}

interface Problem {
  readonly code: string
  readonly message: string
}

/** The service refused a call. */
class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, { code, message }: Problem) {
    super(`${status} ${code}: ${message}`)
    this.status = status
    this.code = code
  }
}

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** One call; a POST if there is a body. Every call can be repeated unchanged, including submits. */
export const call = async <T>(service: Service, path: string, body?: object): Promise<T> => {
  const headers = { "x-api-key": service.apiKey, "content-type": "application/json" }
  const post = { method: "POST", body: JSON.stringify(body) }
  const send = service.fetch ?? fetch
  for (let attempt = 1; ; attempt++) {
    const response = await send(service.url + path, { headers, ...(body !== undefined && post) })
    const answer: unknown = await response.json()
    if (response.status === 200) return answer as T
    const later = response.headers.get("retry-after")
    if (later === null || attempt === 10) throw new Refused(response.status, answer as Problem)
    await sleep(Number(later) * 1000)
  }
}

export const quote = (service: Service, request: QuoteRequest) => call<Quote>(service, "/swap/quote", request)

/** A signed delegation to the pinned contract, if the wallet needs one. */
export const authorize = async (
  service: Service,
  account: PrivateKeyAccount,
  chainId: number,
  { delegate }: Deployment
): Promise<Authorization | undefined> => {
  const path = `/swap/delegation?chainId=${chainId}&walletAddress=${account.address}`
  const { accountNonce: nonce, delegated, delegationTarget: address } = await call<Delegation>(service, path)
  if (delegated) return undefined
  if (address === undefined || nonce === undefined) throw new Error("The wallet runs another contract's code.")
  must(address === delegate?.toLowerCase(), "the delegation is to another contract")
  const { r, s, yParity = 0 } = await account.signAuthorization({ chainId, address, nonce })
  return { chainId, address, nonce, yParity, r, s }
}

/** Builds the operation of a quote, and verifies it. */
export const buildOperation = async (
  service: Service,
  request: QuoteRequest,
  quoted: Quote,
  deployment: Deployment,
  authorization?: Authorization
): Promise<BuiltOperation> => {
  const { geoQuoteToken } = quoted
  const built = await call<BuiltOperation>(service, "/swap/build-geo-op", {
    geoQuoteToken,
    ...(authorization && { authorization })
  })
  checkOperation(built, request, quoted, deployment)
  return built
}

/** Builds the transaction of a quote, verifies it and signs it. */
export const buildTransaction = async (
  service: Service,
  keyPair: CryptoKeyPair,
  request: QuoteRequest,
  quoted: Quote,
  deployment: Deployment
): Promise<{ readonly geoOpToken: string; readonly signedTransaction: string }> => {
  const { geoQuoteToken } = quoted
  const built = await call<BuiltTransaction>(service, "/swap/build-solana-tx", { geoQuoteToken })
  const transaction = await checkTransaction(built, request, quoted, deployment)
  const signed = await partiallySignTransaction([keyPair], transaction)
  return { geoOpToken: built.geoOpToken, signedTransaction: getBase64EncodedWireTransaction(signed) }
}

/** Polls until the swap has finished, at most once per second. */
export const wait = async (service: Service, swapId: string): Promise<Swap> => {
  for (;;) {
    const asked = Date.now()
    const swap = await call<Swap>(service, `/swap/status/${swapId}`)
    if (swap.status !== "pending") return swap
    await sleep(Math.max(0, asked + 1000 - Date.now()))
  }
}
