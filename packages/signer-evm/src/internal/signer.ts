/** The signer for any wallet: it verifies the request, calls the wallet, and verifies the signature. */
import { Delegation, type Hex, Operation, type Signer, type SwapError } from "@geoswap/core"
import {
  hashPermit,
  keccak256,
  operationTypedData,
  paymentTypedData,
  permitTypedData,
  reportFailure
} from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { confirmActiveChain, ensureActiveChain } from "./activeChain.js"
import { hashAuthorization, hashMessage } from "./hash.js"
import type { ResolvedOptions } from "./options.js"
import { lower, typedTermsOf } from "./operationHash.js"
import type { Signature } from "./recoverSignature.js"
import { verifyDelegateCode, verifyDelegation } from "./verifyDelegateCode.js"
import { verifyAuthorization, verifyOperation, verifyPayment, verifyRevocation } from "./verifyOperation.js"
import { verifyPaymentOnChain } from "./verifyPaymentOnChain.js"
import { verifySignature, verifyTuple, type WalletIdentity } from "./verifySignature.js"
import type { Tuple, TypedDataToSign, Wallet } from "./wallet.js"
import { walletError } from "./walletError.js"
import { wrongDigests, wrongMessageHashes } from "./wrongHashDiagnostics.js"

/** Encodes a signature for submission with an operation. */
const serialize = ({ r, s, yParity }: Signature): Hex.Hex =>
  `0x${r.slice(2)}${s.slice(2)}${yParity === 0 ? "1b" : "1c"}`

interface WalletContext extends WalletIdentity, Pick<Wallet, "jsonRpc">, Pick<ResolvedOptions, "onFailure"> {}

/** Calls a wallet, which may return or throw anything. */
const callWallet = (
  context: WalletContext,
  call: (signal: AbortSignal) => unknown
): Effect.Effect<unknown, SwapError.SignError> =>
  Effect.tryPromise({
    try: async (signal) => call(signal),
    catch: (thrown) => {
      reportFailure(context.onFailure, thrown)
      return walletError(context)(thrown)
    }
  })

/**
 * Signs typed data that this package has built from verified fields, and verifies what the wallet returns. A browser
 * wallet's active chain is the chain in the typed data, before and after it signs.
 */
const signTyped = Effect.fnUntraced(function* (
  context: WalletContext,
  { activeChain }: Pick<Wallet, "activeChain">,
  signTypedData: NonNullable<Wallet["signTypedData"]>,
  typed: TypedDataToSign
): Effect.fn.Return<Hex.Hex, SwapError.SignError> {
  const { chainId, digest } = typed
  const call = (ask: () => unknown) => callWallet(context, ask)
  if (activeChain) yield* ensureActiveChain(context.who, activeChain, chainId, call)
  const answer = yield* callWallet(context, (signal) => signTypedData(typed, signal))
  const signature = yield* verifySignature(context, digest, answer, wrongDigests(digest))
  if (activeChain) yield* confirmActiveChain(context.who, activeChain, chainId, call)
  return serialize(signature)
})

/** The functions that verify and sign payments without a delegation. */
const paymentsWith = (
  context: WalletContext,
  wallet: Wallet,
  signTypedData: NonNullable<Wallet["signTypedData"]>,
  options: ResolvedOptions
): Required<Pick<Signer.Evm, "signPayment" | "verifyPayment">> => {
  const verified = Effect.fnUntraced(function* (
    input: Signer.PaymentToSign
  ): Effect.fn.Return<Signer.PaymentToSign, SwapError.SignError> {
    const copied = yield* verifyPayment(context.address, input)
    yield* verifyPaymentOnChain(options, copied.payment)
    return copied
  })
  return {
    verifyPayment: (input) => Effect.asVoid(verified(input)),
    signPayment: Effect.fnUntraced(function* (input): Effect.fn.Return<Signer.SignedPayment, SwapError.SignError> {
      const copied = yield* verified(input)
      const { geoOpHash, payment } = copied
      const { chainId } = payment
      const sign = (typed: Omit<TypedDataToSign, "chainId">) =>
        signTyped(context, wallet, signTypedData, { ...typed, chainId })
      const data = paymentTypedData(payment, typedTermsOf(copied), keccak256)
      const pay = sign({ data, digest: lower(geoOpHash) })
      if (payment.method !== "erc2612") return { signature: yield* pay }
      // The permit only approves Permit2, so it is signed first. If the payment is not signed, the permit is discarded.
      const permitSignature = yield* sign({ data: permitTypedData(payment), digest: hashPermit(payment, keccak256) })
      // The user may have taken minutes to sign the permit.
      yield* verifyPayment(context.address, copied)
      return { signature: yield* pay, permitSignature }
    })
  }
}

/** Signs exactly this authorization, and verifies what the wallet returns. */
const signTuple = Effect.fnUntraced(function* (
  context: WalletContext,
  signAuthorization: NonNullable<Wallet["signAuthorization"]>,
  tuple: Tuple
): Effect.fn.Return<Delegation.Authorization, SwapError.SignError> {
  const answer = yield* callWallet(context, (signal) => signAuthorization({ ...tuple }, signal))
  yield* verifyTuple(context, tuple, answer)
  const hash = hashAuthorization(tuple)
  const { r, s, yParity } = yield* verifySignature(context, hash, answer, wrongDigests(hash))
  return { ...tuple, yParity, r, s }
})

const signWith = (
  context: WalletContext,
  signAuthorization: NonNullable<Wallet["signAuthorization"]>,
  options: ResolvedOptions
): NonNullable<Signer.Evm["signAuthorization"]> =>
  Effect.fnUntraced(function* (authorization): Effect.fn.Return<Delegation.Authorization, SwapError.SignError> {
    const { address, chainId, deployment, nonce } = yield* verifyAuthorization(authorization)
    yield* verifyDelegateCode(options, chainId, address, deployment)
    return yield* signTuple(context, signAuthorization, { chainId, address, nonce })
  })

/** The only function that signs an authorization to the zero address. */
const revokeWith = (
  context: WalletContext,
  signAuthorization: NonNullable<Wallet["signAuthorization"]>
): NonNullable<Signer.Evm["signRevocation"]> =>
  Effect.fnUntraced(function* (revocation): Effect.fn.Return<Delegation.Authorization, SwapError.SignError> {
    const { chainId, nonce } = yield* verifyRevocation(revocation)
    return yield* signTuple(context, signAuthorization, { chainId, address: Delegation.zeroAddress, nonce })
  })

/**
 * Creates the signer for a wallet. The wallet exists only in the closure, so printing the signer does not show it.
 * Nothing is traced, because a span would record the signature as its result.
 */
export const make = (wallet: Wallet, options: ResolvedOptions): Signer.Evm => {
  const { address, jsonRpc, signAuthorization, signMessage, signTypedData } = wallet
  const context = { who: options.name ?? wallet.name, address, jsonRpc, onFailure: options.onFailure }
  return {
    address,
    capabilities: { authorization: signAuthorization !== undefined, typedData: signTypedData !== undefined },
    verifyOperation: Effect.fnUntraced(function* (operation): Effect.fn.Return<void, SwapError.SignError> {
      const { deployment, geoOp, request } = yield* verifyOperation(address, operation)
      if (geoOp === undefined) return yield* Operation.unsafe("geoOp", "the fields behind geoOpHash", "nothing")
      yield* verifyDelegateCode(options, request.originChain, geoOp.delegate, deployment)
    }),
    // If the operation has fields, it is verified again. Without fields, any 32 bytes are signed, even if they are the
    // hash of an arbitrary operation. The client sends a hash without fields only if the policy's `verification` is
    // "when-possible".
    signOperation: Effect.fnUntraced(function* (operation): Effect.fn.Return<Hex.Hex, SwapError.SignError> {
      const copied = yield* verifyOperation(address, operation)
      const { geoOp, geoOpHash } = copied
      if (geoOp) {
        yield* verifyDelegation(options, geoOp)
        if (signTypedData) {
          const data = operationTypedData(geoOp, typedTermsOf(copied))
          const { chainId } = geoOp
          return yield* signTyped(context, wallet, signTypedData, { data, digest: lower(geoOpHash), chainId })
        }
      }
      const answer = yield* callWallet(context, (signal) => signMessage(geoOpHash, signal))
      const hash = hashMessage({ raw: geoOpHash })
      return serialize(yield* verifySignature(context, hash, answer, wrongMessageHashes(geoOpHash)))
    }),
    ...(signTypedData && paymentsWith(context, wallet, signTypedData, options)),
    ...(signAuthorization && {
      signAuthorization: signWith(context, signAuthorization, options),
      signRevocation: revokeWith(context, signAuthorization)
    })
  }
}
