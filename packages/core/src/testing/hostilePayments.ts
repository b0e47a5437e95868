/** Payments from a hostile service that differ from the accepted terms. */
import { hashPayment, hashTerms } from "../adapters/hashes.js"
import { keccak256 } from "../adapters/keccak256.js"
import { solanaMainnet } from "../Chain.js"
import { encodeTerms } from "../Operation.js"
import { type Payment, permit2Address, permit2Nonces } from "../Payment.js"
import type { QuoteRequest } from "../Quote.js"
import type { PaymentToSign } from "../Signer.js"
import { bump, changedAgreements, stranger } from "./hostilePayloads.js"
import type { PaymentVector } from "./paymentVectors.js"
import { solanaKey } from "./vectors.js"

/** Returns a payment to sign whose terms and hash match its fields. */
const rehashed = (input: PaymentToSign, fields: Readonly<Record<string, unknown>>): PaymentToSign => {
  const payment = { ...input.payment, ...fields } as Payment
  return { ...input, payment, geoOpHash: hashPayment(payment, keccak256) }
}

/** Returns a vector with a deadline in the future, because signers refuse payments that have expired. */
export const currentPayment = ({ request, quote, deployment, payment }: PaymentVector, now: number): PaymentToSign =>
  rehashed({ request, quote, deployment, payment, geoOpHash: "0x" }, { deadline: Math.floor(now / 1000) + 90 })

/** Returns a payment for another request, with the terms of that request. */
const requested = (input: PaymentToSign, change: Partial<QuoteRequest>): PaymentToSign => {
  const agreed = { ...input, request: { ...input.request, ...change } }
  return rehashed(agreed, { terms: hashTerms(encodeTerms(agreed), keccak256) })
}

/** Changes a valid payment, at a time in Unix seconds. */
type Change = (input: PaymentToSign, seconds: number) => PaymentToSign
type Fields = Readonly<Record<string, unknown>>

const lie =
  (fields: (payment: Payment, seconds: number) => Fields): Change =>
  (input, seconds) =>
    rehashed(input, fields(input.payment, seconds))

const unhashed =
  (fields: (payment: Payment) => Fields): Change =>
  (input) => ({ ...input, payment: { ...input.payment, ...fields(input.payment) } })

const asked =
  (request: Partial<QuoteRequest>): Change =>
  (input) => ({ ...input, request: { ...input.request, ...request } })

const nonceOf = (payment: Payment): bigint => (payment.method === "eip3009" ? 0n : payment.nonce)

/** Returns the lies about a payment. Unless the hash is the lie, the hash matches the fields. */
export const hostilePaymentsOf = (vector: PaymentVector): ReadonlyArray<readonly [name: string, change: Change]> => [
  ["a different hash", (input) => ({ ...input, geoOpHash: bump(input.geoOpHash) })],
  ["an orderId that is not hashed", unhashed(({ orderId }) => ({ orderId: bump(orderId) }))],
  ["a deadline that is not hashed", unhashed(({ deadline }) => ({ deadline: deadline - 1 }))],
  ["a different chainId", lie(({ chainId }) => ({ chainId: chainId + 1 }))],
  ["a different wallet", lie(({ wallet }) => ({ wallet: bump(wallet) }))],
  ["a different token", lie(({ token }) => ({ token: bump(token) }))],
  ["a smaller amount", lie(({ amount }) => ({ amount: amount - 1n }))],
  ["a larger amount", lie(({ amount }) => ({ amount: amount + 1n }))],
  ["a different vault", lie(({ vault }) => ({ vault: bump(vault) }))],
  ["the wallet as the vault", lie(({ wallet }) => ({ vault: wallet }))],
  ["Permit2 as the vault", lie(() => ({ vault: permit2Address }))],
  ["different terms", lie(({ terms }) => ({ terms: bump(terms) }))],
  ["a deadline in decades", lie((_, seconds) => ({ deadline: seconds + 10 ** 9 }))],
  ["a deadline that has passed", lie((_, seconds) => ({ deadline: seconds - 1 }))],
  ...changedAgreements(vector).map(([name, { request, quote }]): readonly [string, Change] => [
    name,
    (input) => ({ ...input, request, quote })
  ]),
  ["a different wallet than agreed", asked({ walletAddress: stranger.evm })],
  ["a different token than agreed", asked({ inputToken: stranger.evm })],
  ["a different chain than agreed", asked({ originChain: 10 })],
  ["a vault that is not pinned", (input) => ({ ...input, deployment: { ...input.deployment, vault: stranger.evm } })],
  ["a vault when none is pinned", ({ geoOpHash, payment, quote, request }) => ({ geoOpHash, payment, quote, request })],
  ...(vector.payment.method === "eip3009"
    ? ([
        ["another recipient", (input) => requested(input, { recipient: stranger.evm })],
        [
          "a recipient on Solana",
          (input) =>
            requested(input, {
              destinationChain: solanaMainnet,
              outputToken: stranger.solana,
              recipient: solanaKey.address
            })
        ],
        ["a domain that is not hashed", unhashed(() => ({ domain: { name: "USD Coin", version: "1" } }))]
      ] satisfies ReadonlyArray<readonly [string, Change]>)
    : ([
        ["nonce 0", lie(() => ({ nonce: 0n }))],
        ["a nonce of another program", lie(() => ({ nonce: permit2Nonces + 2n ** 64n }))],
        ["a nonce that is not hashed", unhashed((payment) => ({ nonce: nonceOf(payment) + 1n }))]
      ] satisfies ReadonlyArray<readonly [string, Change]>))
]
