/**
 * The chain functions that the scripted service and the test signers need, and a fake implementation that needs no
 * chain library.
 */
import type { Authorization } from "../Delegation.js"
import { hashOrder as hash } from "../adapters/hashes.js"
import { keccak256 } from "../adapters/keccak256.js"
import { type Hex, isHex } from "../Hex.js"
import type { Deployment, GeoOp } from "../Operation.js"
import type { Erc2612, Payment } from "../Payment.js"
import type { QuoteRequest } from "../Quote.js"
import { authorizationHash, bytesOf, digest, signHash, signWire } from "./fakeSignatures.js"

/** The destination terms that a signature commits to. */
export interface Terms {
  readonly destinationChain: number
  readonly outputToken: string
  readonly recipient: string
  readonly minOutput: bigint
}

/** The parts of a Solana transaction. */
interface TransactionParts {
  readonly request: QuoteRequest
  readonly orderId: Hex
  readonly terms: Hex
  readonly deployment: Deployment
}

/** The hashes of payments without a delegation, and signer recovery for typed data. */
export interface PaymentLibrary {
  /** The hash of the order, which is the nonce of a payment with EIP-3009. */
  readonly hashOrder: (payment: Pick<Payment, "chainId" | "orderId" | "terms" | "wallet">) => Hex
  readonly hashPayment: (payment: Payment) => Hex
  readonly hashPermit: (payment: Erc2612) => Hex
  /** Returns the wallet that signed the typed data with this digest, or `undefined` if the signature is invalid. */
  readonly recoverTypedData: (digest: Hex, signature: string) => string | undefined | Promise<string | undefined>
}

/**
 * Hashing, signer recovery and transaction building. Pass a real implementation to test real signers against the
 * scripted service.
 */
export interface ChainLibrary {
  /** The EIP-712 hash of the terms. */
  readonly hashTerms: (terms: Terms) => Hex
  readonly hashOperation: (geoOp: GeoOp) => Hex
  /** Returns the wallet that signed the operation hash, or `undefined` if the signature is invalid. */
  readonly recoverOperation: (hash: Hex, signature: string) => string | undefined | Promise<string | undefined>
  /** The hashes of payments, and the recovery of typed data. Required only to test payments without a delegation. */
  readonly payments?: PaymentLibrary
  readonly recoverAuthorization: (authorization: Authorization) => string | undefined | Promise<string | undefined>
  readonly buildTransaction: (parts: TransactionParts) => string | Promise<string>
  /**
   * Returns the wallet that signed a transaction, or `undefined` if the transaction is unsigned or its message differs
   * from the message in the unsigned transaction.
   */
  readonly recoverTransaction: (unsigned: string, signed: string) => string | undefined | Promise<string | undefined>
}

const recoverHash = (hash: Hex, signature: string): string | undefined => {
  const address = signature.slice(0, 42)
  return isHex(signature, 65) && signature === signHash(address, hash) ? address : undefined
}

const textOf = (fields: object): string =>
  JSON.stringify(fields, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))

const hashOrder: PaymentLibrary["hashOrder"] = (payment) => hash(payment, keccak256)

/**
 * A fake chain library that is sufficient for testing the protocol: every field changes the hash, and every signature
 * contains the address of the wallet that made it.
 */
export const standIn: ChainLibrary & { readonly payments: PaymentLibrary } = {
  hashTerms: (terms) => digest(textOf(terms)),
  hashOperation: (geoOp) => digest(textOf(geoOp)),
  payments: {
    hashOrder,
    hashPayment: (payment) => digest(`payment ${textOf(payment)}`),
    hashPermit: (payment) => digest(`permit ${textOf(payment)}`),
    recoverTypedData: (hash, signature) => recoverHash(digest(`712|${hash}`), signature)
  },
  recoverOperation: recoverHash,
  recoverAuthorization: (authorization) =>
    recoverHash(authorizationHash(authorization), `${authorization.r}${bytesOf(authorization.s)}1b`),
  buildTransaction: ({ request, orderId, terms, deployment }) => {
    const { amount, inputToken: token, walletAddress: wallet } = request
    const memo = `geoswap:${orderId}:${terms}`
    const message = textOf({ amount, token, wallet, memo, ...deployment })
    return btoa(`\u0001${"\0".repeat(64)}${message}`)
  },
  recoverTransaction: (unsigned, signed) => {
    const wallet = /"wallet":"(\w+)"/.exec(atob(unsigned))?.[1] ?? ""
    return signed === signWire(wallet, unsigned) ? wallet : undefined
  }
}
