/** Verifies that an operation, a payment or an authorization is what the caller agreed to, before it is signed. */
import { Chain, Delegation, Operation, type Quote, type Signer, type SwapError } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { describeKind, describeValue } from "./describeValue.js"
import { hashPayment, keccak256 } from "@geoswap/core/adapters"
import { hashOperation, hashTerms, lower } from "./operationHash.js"
import {
  snapshotAuthorization,
  snapshotOperation,
  snapshotPayment,
  validateDeployment,
  validateOperation,
  validatePayment
} from "./operationSnapshot.js"

/**
 * Rejects a recipient that no key can sign for: the zero address, an address of another chain family than the output
 * token's, and an EVM address that is padded to the length of a Solana address.
 */
const recipientViolation = ({ destinationChain, outputToken, recipient, walletAddress }: Quote.QuoteRequest) => {
  const receiver = recipient ?? walletAddress
  const isEvm = outputToken.startsWith("0x")
  if (isEvm !== receiver.startsWith("0x") || (isEvm && destinationChain === Chain.solanaMainnet)) {
    return Operation.unsafe("recipient", "an address of the output token's chain", receiver)
  }
  const word = Chain.toWord(receiver)
  return word === 0n || (!isEvm && word < 2n ** 160n)
    ? Operation.unsafe("recipient", "an address that has a key", receiver)
    : undefined
}

const walletViolation = (wallet: string, { walletAddress }: Quote.QuoteRequest) =>
  Chain.sameAddress("evm", walletAddress, wallet)
    ? undefined
    : Operation.unsafe("walletAddress", `the signer's ${wallet}`, walletAddress)

const operationViolation = (wallet: string, operation: Signer.OperationToSign, now: number) => {
  const malformed = validateOperation(operation)
  if (malformed !== undefined) return malformed
  const { geoOp, geoOpHash, request } = operation
  const otherWallet = walletViolation(wallet, request)
  if (otherWallet !== undefined || geoOp === undefined) return otherWallet
  const violation = Operation.compare(geoOp, operation, now) ?? recipientViolation(request)
  if (violation !== undefined) return violation
  const terms = hashTerms(operation)
  if (terms !== lower(geoOp.terms)) return Operation.unsafe("terms", terms, geoOp.terms)
  const digest = hashOperation(geoOp)
  return digest === lower(geoOpHash) ? undefined : Operation.unsafe("geoOpHash", digest, geoOpHash)
}

const paymentViolation = (wallet: string, input: Signer.PaymentToSign, now: number) => {
  const malformed = validatePayment(input)
  if (malformed !== undefined) return malformed
  const { geoOpHash, payment, request } = input
  const violation =
    walletViolation(wallet, request) ?? Operation.comparePayment(payment, input, now) ?? recipientViolation(request)
  if (violation !== undefined) return violation
  const terms = hashTerms(input)
  if (terms !== lower(payment.terms)) return Operation.unsafe("terms", terms, payment.terms)
  const digest = hashPayment(payment, keccak256)
  return digest === lower(geoOpHash) ? undefined : Operation.unsafe("geoOpHash", digest, geoOpHash)
}

const tupleViolation = ({ chainId, nonce }: Signer.RevocationToSign) => {
  if (!Chain.isChainId(chainId)) {
    return Operation.unsafe(
      "chainId",
      "a single chain",
      chainId === 0 ? "0, which means every chain" : describeValue(chainId)
    )
  }
  return Number.isSafeInteger(nonce) && nonce >= 0
    ? undefined
    : Operation.unsafe("nonce", "a whole number of at least 0", describeValue(nonce))
}

const authorizationViolation = (authorization: Signer.AuthorizationToSign) => {
  const { address, deployment } = authorization
  const invalidTuple = tupleViolation(authorization)
  if (invalidTuple !== undefined) return invalidTuple
  const malformed = validateDeployment(deployment)
  if (malformed !== undefined) return malformed
  const delegates = deployment?.delegates ?? []
  const isAddress = Chain.isAddress("evm", address)
  // An authorization to the zero address removes a delegation. Only `signRevocation` signs one, even if a deployment
  // pins the zero address.
  if (isAddress && Delegation.isZeroAddress(address)) {
    return Operation.unsafe("delegate", "a contract", "the zero address, which removes the delegation")
  }
  if (isAddress && delegates.some((pinned) => Chain.sameAddress("evm", pinned, address))) return undefined
  const expected =
    delegates.length === 0
      ? "a delegate pinned in the deployment"
      : `one of the pinned delegates ${delegates.join(", ")}`
  return Operation.unsafe("delegate", expected, isAddress ? address : describeKind(address))
}

/** Takes a snapshot, and returns it if `findViolation` finds no violation. Fails if the snapshot cannot be taken. */
const verifySnapshot = <A>(
  what: string,
  copy: () => A,
  findViolation: (copied: A) => SwapError.UnsafeOperation | undefined
) =>
  Effect.suspend(() => {
    try {
      const copied = copy()
      const violation = findViolation(copied)
      return violation === undefined ? Effect.succeed(copied) : Effect.fail(violation)
    } catch {
      return Effect.fail(Operation.unsafe(what, "a readable object", "an object whose properties throw"))
    }
  })

/** Returns a snapshot of an operation that may be signed. Without `geoOp`, only the types and wallet are checked. */
export const verifyOperation = (
  wallet: string,
  operation: Signer.OperationToSign
): Effect.Effect<Signer.OperationToSign, SwapError.UnsafeOperation> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    verifySnapshot(
      "geoOp",
      () => snapshotOperation(operation),
      (copied) => operationViolation(wallet, copied, now)
    )
  )

/** Returns a snapshot of a payment that may be signed. */
export const verifyPayment = (
  wallet: string,
  payment: Signer.PaymentToSign
): Effect.Effect<Signer.PaymentToSign, SwapError.UnsafeOperation> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    verifySnapshot(
      "payment",
      () => snapshotPayment(payment),
      (copied) => paymentViolation(wallet, copied, now)
    )
  )

/** Returns a snapshot of an authorization that may be signed: for one chain, to a pinned delegate. */
export const verifyAuthorization = (
  authorization: Signer.AuthorizationToSign
): Effect.Effect<Signer.AuthorizationToSign, SwapError.UnsafeOperation> =>
  verifySnapshot("authorization", () => snapshotAuthorization(authorization), authorizationViolation)

/** Returns a snapshot of a revocation that may be signed: for one chain. */
export const verifyRevocation = (
  revocation: Signer.RevocationToSign
): Effect.Effect<Signer.RevocationToSign, SwapError.UnsafeOperation> =>
  verifySnapshot("revocation", () => ({ chainId: revocation.chainId, nonce: revocation.nonce }), tupleViolation)
