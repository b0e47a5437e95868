/** The data that is signed (an operation on EVM chains, or a transaction on Solana) and the pinned contracts. */
import * as Schema from "effect/Schema"
import { Amount, max } from "./Amount.js"
import { sameAddress, toWord } from "./Chain.js"
import * as Hex from "./Hex.js"
import { OrderId } from "./Id.js"
import { encodeWords } from "./codecs/encodeWords.js"
import { Integer } from "./codecs/lenient.js"
import { openStruct } from "./codecs/openStruct.js"
import { type Method, Payment, permit2Nonces } from "./Payment.js"
import { minOutputOf, type QuoteRequest } from "./Quote.js"
import type { QuotePreview } from "./SwapEvent.js"
import { UnsafeOperation } from "./SwapError.js"

/**
 * The fields that `geoOpHash`, an EIP-712 digest, is computed from: the domain `{ name, version, chainId,
 * verifyingContract = delegate }` and the struct `GeoOp { wallet, token, amount, vault, orderId, terms, nonce, deadline }`.
 */
export const GeoOp = Schema.Struct({
  chainId: Integer,
  wallet: Hex.Address,
  delegate: Hex.Address,
  token: Hex.Address,
  amount: Amount,
  vault: Hex.Address,
  orderId: OrderId,
  /** The EIP-712 hash of the destination chain, the output token, the recipient and the minimum output. */
  terms: Hex.Bytes32,
  nonce: Amount,
  /** The time, in Unix seconds, after which the operation can no longer be executed. */
  deadline: Integer
})
export type GeoOp = typeof GeoOp.Type

/** The response to `POST /swap/build-geo-op`. */
export const BuiltOperation = openStruct({
  geoOpHash: Hex.Bytes32,
  geoOpToken: Schema.NonEmptyString,
  geoOp: Schema.optionalKey(GeoOp),
  /** The payment, if the build call named a payment method other than `delegation`. */
  payment: Schema.optionalKey(Payment)
})
export type BuiltOperation = typeof BuiltOperation.Type

const Base64 = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9+/]+={0,2}$/),
  Schema.makeFilter((text) => text.length % 4 === 0)
)

/** The response to `POST /swap/build-solana-tx`. */
export const BuiltTransaction = openStruct({
  unsignedTransaction: Base64,
  geoOpToken: Schema.NonEmptyString
})
export type BuiltTransaction = typeof BuiltTransaction.Type

/**
 * One of the service's older vaults, with its delegate. Wallets that are still delegated to that delegate can continue
 * to swap.
 */
export interface OlderVault {
  readonly delegate: string
  readonly vault: string
  /** The expected hash of the delegate's code. Checked by signers that can read the chain. */
  readonly codeHash?: Hex.Hex
}

/** A service's contracts on one chain. The caller pins them; they never come from the service. */
export interface Deployment {
  /** The contracts that a wallet may delegate to. Empty on Solana. */
  readonly delegates?: ReadonlyArray<string>
  /** The expected hash of the code that all delegates share. Checked by signers that can read the chain. */
  readonly codeHash?: Hex.Hex
  /** The vault that receives the input. */
  readonly vault: string
  /** The fee payer for Solana transactions. */
  readonly relayer?: string
  /**
   * EVM only: older delegates that wallets may still be delegated to. New delegations to these contracts are never
   * signed.
   */
  readonly older?: ReadonlyArray<OlderVault>
}

/** Returns the pinned contracts for a delegate. A delegate can only pay into its own vault. */
export const pinnedFor = (
  deployment: Deployment,
  delegate: string
): Pick<Deployment, "vault" | "codeHash"> | undefined => {
  const isDelegate = (pinned: string) => sameAddress("evm", pinned, delegate)
  return deployment.delegates?.some(isDelegate)
    ? deployment
    : deployment.older?.find((entry) => isDelegate(entry.delegate))
}

/** The terms that were accepted before signing. */
export interface Agreement {
  readonly request: QuoteRequest
  readonly quote: QuotePreview
  /**
   * The pinned deployment. Absent only if the policy has `verification: "when-possible"` and pins no deployment for the
   * chain.
   */
  readonly deployment?: Deployment
  /** The maximum time until an operation's deadline, in seconds (default: the `maxLifetimeSeconds` constant). */
  readonly maxLifetimeSeconds?: number
}

/**
 * Encodes the fields that `hashTerms` hashes: the destination chain, the output token, the recipient and the
 * minimum output, 32 bytes each. Uses only the agreement, never data from the service. Throws if a value does not fit.
 */
export const encodeTerms = ({ request, quote }: Pick<Agreement, "request" | "quote">): Uint8Array => {
  const { destinationChain, outputToken, recipient, walletAddress } = request
  return encodeWords([
    BigInt(destinationChain),
    toWord(outputToken),
    toWord(recipient ?? walletAddress),
    minOutputOf(quote)
  ])
}

/**
 * The maximum time until an operation's deadline, in seconds, unless the policy sets a different maximum. A swap takes
 * about 90 seconds. The rest of the time allows for differences between clocks.
 */
export const maxLifetimeSeconds = 180

/** Creates the error for an operation that is not signed because a field is wrong. */
export const unsafe = (field: string, expected: string, found: string): UnsafeOperation =>
  new UnsafeOperation({
    message: `Nothing was signed: expected ${field} to be ${expected}, got ${found}.`,
    field,
    expected,
    found
  })

type Comparison = readonly [field: string, fits: boolean, expected: string, found: string]

/** Compares the fields that operations and payments have in common, and then the fields in `more`. */
const compareFields = (
  signed: Pick<GeoOp, "amount" | "chainId" | "deadline" | "token" | "vault" | "wallet">,
  { request, maxLifetimeSeconds: most = maxLifetimeSeconds }: Agreement,
  nowMillis: number,
  vault: string | undefined,
  more: ReadonlyArray<Comparison>
): UnsafeOperation | undefined => {
  const now = Math.floor(nowMillis / 1000)
  const comparisons: ReadonlyArray<Comparison> = [
    ["chainId", signed.chainId === request.originChain, `${request.originChain}`, `${signed.chainId}`],
    ["wallet", sameAddress("evm", signed.wallet, request.walletAddress), request.walletAddress, signed.wallet],
    ["token", sameAddress("evm", signed.token, request.inputToken), request.inputToken, signed.token],
    ["amount", signed.amount === request.amount, `${request.amount}`, `${signed.amount}`],
    ...more,
    [
      "vault",
      vault === undefined || sameAddress("evm", signed.vault, vault),
      `the pinned vault ${vault}`,
      signed.vault
    ],
    [
      "deadline",
      signed.deadline > 0 && signed.deadline <= now + most,
      `at most ${most} s after your clock's time, ${now}`,
      `${signed.deadline}, ${signed.deadline - now} s after that: check your clock`
    ]
  ]
  const broken = comparisons.find(([, fits]) => !fits)
  return broken && unsafe(broken[0], broken[2], broken[3])
}

/**
 * Compares an operation's fields with the agreement. Returns the first mismatch, or `undefined` if everything matches.
 * Signers also recompute `terms` and `geoOpHash`.
 */
export const compare = (geoOp: GeoOp, agreement: Agreement, nowMillis: number): UnsafeOperation | undefined => {
  const { deployment } = agreement
  const pinned = deployment && pinnedFor(deployment, geoOp.delegate)
  return compareFields(geoOp, agreement, nowMillis, pinned?.vault, [
    ["delegate", deployment === undefined || pinned !== undefined, "a pinned delegate", geoOp.delegate]
  ])
}

/**
 * Whether a request may be paid with EIP-3009: the wallet receives the output on an EVM chain. A wallet cannot display
 * the recipient of such a payment.
 */
export const canPayByAuthorization = ({
  outputToken,
  recipient,
  walletAddress
}: Pick<QuoteRequest, "outputToken" | "recipient" | "walletAddress">): boolean =>
  outputToken.startsWith("0x") && sameAddress("evm", recipient ?? walletAddress, walletAddress)

/** Whether a number is one of the protocol's Permit2 nonces. */
const isPermit2Nonce = (nonce: bigint): boolean => nonce >> 64n === permit2Nonces >> 64n

/**
 * Compares a payment's fields with the agreement, which must have a pinned deployment. Returns the first mismatch, or
 * `undefined` if everything matches. Signers also recompute `terms` and `geoOpHash`.
 */
export const comparePayment = (
  payment: Payment,
  agreement: Agreement,
  nowMillis: number
): UnsafeOperation | undefined => {
  const { deployment, request } = agreement
  if (deployment === undefined) return unsafe("deployment", "pinned for the origin chain", "none")
  const now = Math.floor(nowMillis / 1000)
  return compareFields(payment, agreement, nowMillis, deployment.vault, [
    payment.method === "eip3009"
      ? [
          "recipient",
          canPayByAuthorization(request),
          "the wallet, on an EVM chain",
          request.recipient ?? "no recipient"
        ]
      : ["nonce", isPermit2Nonce(payment.nonce), "a Permit2 nonce of this protocol", `${payment.nonce}`],
    [
      "amount",
      payment.method !== "erc2612" || payment.amount < max("evm"),
      "less than an unlimited permit",
      `${payment.amount}`
    ],
    ["deadline", payment.deadline > now, `after your clock's time, ${now}`, `${payment.deadline}: check your clock`]
  ])
}

/** The nonce space that a payment method uses. Two signatures in one space with the same nonce exclude each other. */
export const nonceSpaceOf = (method: Method): "delegation" | "eip3009" | "permit2" =>
  method === "erc2612" ? "permit2" : method
