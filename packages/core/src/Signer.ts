/**
 * The interfaces that signers implement. A signer is a plain object that receives everything it needs to verify what it
 * signs.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Authorization } from "./Delegation.js"
import type { Hex } from "./Hex.js"
import type { Payment } from "./Payment.js"
import { throwIfAborted } from "./codecs/abortReason.js"
import { compact } from "./codecs/compact.js"
import { causeMessage } from "./codecs/causeMessage.js"
import { failureOf } from "./codecs/signerFailure.js"
import type { Agreement, BuiltOperation, BuiltTransaction, Deployment } from "./Operation.js"
import { isSwapError, type SignError, SignerError } from "./SwapError.js"

export { failure } from "./codecs/signerFailure.js"

/** An operation on an EVM origin chain, with the accepted terms. */
export interface OperationToSign extends Agreement, Pick<BuiltOperation, "geoOpHash" | "geoOp"> {}

/** A payment without a delegation on an EVM origin chain, with the accepted terms. */
export interface PaymentToSign extends Agreement, Pick<BuiltOperation, "geoOpHash"> {
  readonly payment: Payment
}

/** The signatures for a payment, each with 65 bytes, a low s, and v 27 or 28. */
export interface SignedPayment {
  /** The signature over the typed data that pays. */
  readonly signature: Hex
  /** Only with `erc2612`: the signature over the token's permit, which approves Permit2. */
  readonly permitSignature?: Hex
}

/** A transaction on a Solana origin chain, with the accepted terms. */
export interface TransactionToSign extends Agreement, Pick<BuiltTransaction, "unsignedTransaction"> {}

/** An EIP-7702 delegation to sign. The chain id is never 0, which would mean every chain. */
export interface AuthorizationToSign {
  readonly chainId: number
  /** The contract to delegate to. */
  readonly address: Hex
  readonly nonce: number
  readonly deployment?: Deployment
}

/**
 * The removal of a wallet's EIP-7702 delegation to sign: an authorization to the zero address. The chain id is never 0,
 * which would mean every chain.
 */
export interface RevocationToSign {
  readonly chainId: number
  readonly nonce: number
}

/** The capabilities of an EVM signer, declared up front so that they are known before a quote is used. */
export interface EvmCapabilities {
  /** Whether the signer can sign an EIP-7702 authorization. Injected browser wallets cannot. */
  readonly authorization: boolean
  /**
   * Whether the signer can sign typed data (EIP-712) that it has built (default: no). Such a signer has `verifyPayment`
   * and `signPayment`.
   */
  readonly typedData?: boolean
}

/** Signs for an EVM wallet. */
export interface Evm {
  readonly address: string
  readonly capabilities: EvmCapabilities
  /** Recomputes the hash and compares the operation with the agreement. A signer without this method signs blindly. */
  readonly verifyOperation?: (operation: OperationToSign) => Effect.Effect<void, SignError>
  /**
   * Signs the operation: with personal_sign over the raw 32 bytes of `geoOpHash`, or as typed data built from `geoOp`.
   * The signature has 65 bytes, a low s, and v 27 or 28.
   */
  readonly signOperation: (operation: OperationToSign) => Effect.Effect<Hex, SignError>
  /** Recomputes the hash and compares the payment with the agreement. Payments are never signed blindly. */
  readonly verifyPayment?: (payment: PaymentToSign) => Effect.Effect<void, SignError>
  /**
   * Verifies a payment, builds its typed data from the verified fields, and signs it. With `erc2612`, first signs the
   * permit, and returns both signatures or none.
   */
  readonly signPayment?: (payment: PaymentToSign) => Effect.Effect<SignedPayment, SignError>
  /** Signs a delegation to a pinned contract. Never signs a delegation to the zero address. */
  readonly signAuthorization?: (authorization: AuthorizationToSign) => Effect.Effect<Authorization, SignError>
  /**
   * Signs an authorization to the zero address, which removes the wallet's delegation. Only `undelegate` calls this
   * method; `execute` never does.
   */
  readonly signRevocation?: (revocation: RevocationToSign) => Effect.Effect<Authorization, SignError>
}

/** Signs for a Solana wallet. */
export interface Solana {
  readonly address: string
  /** Decodes the transaction and compares it with the agreement. A signer without this method signs blindly. */
  readonly verifyTransaction?: (transaction: TransactionToSign) => Effect.Effect<void, SignError>
  /** Returns the same transaction with the wallet's signature, in base64. */
  readonly signTransaction: (transaction: TransactionToSign) => Effect.Effect<string, SignError>
}

/** Holds the signal that aborts a call to a promise-returning signer if the result is no longer needed. */
export interface Abort {
  readonly signal: AbortSignal
}

/** An EVM signer whose methods return promises, for key services, wallets and code without Effect. */
export interface PromiseEvmSigner {
  readonly address: string
  readonly capabilities: EvmCapabilities
  readonly verifyOperation?: (operation: OperationToSign, abort: Abort) => Promise<void> | void
  readonly signOperation: (operation: OperationToSign, abort: Abort) => Promise<Hex>
  readonly verifyPayment?: (payment: PaymentToSign, abort: Abort) => Promise<void> | void
  /** Signs a payment's typed data and, with `erc2612`, its permit. Returns both signatures or none. */
  readonly signPayment?: (payment: PaymentToSign, abort: Abort) => Promise<SignedPayment>
  readonly signAuthorization?: (authorization: AuthorizationToSign, abort: Abort) => Promise<Authorization>
  /** Signs an authorization to the zero address. Only `undelegate` calls this method. */
  readonly signRevocation?: (revocation: RevocationToSign, abort: Abort) => Promise<Authorization>
}

/** A Solana signer whose methods return promises. */
export interface PromiseSolanaSigner {
  readonly address: string
  readonly verifyTransaction?: (transaction: TransactionToSign, abort: Abort) => Promise<void> | void
  readonly signTransaction: (transaction: TransactionToSign, abort: Abort) => Promise<string>
}

/** The client's signers, one per chain family. */
export class Signers extends Context.Service<Signers, { readonly evm?: Evm; readonly solana?: Solana }>()(
  "@geoswap/core/Signers"
) {}

/**
 * Converts anything that a signer throws to a `SignError`. Keeps the message only if it is too short to be a seed
 * phrase and, unlike a key, contains no digits. `Signer.failure` keeps more messages.
 */
const toSignError = (cause: unknown): SignError =>
  isSwapError(cause) && (cause._tag === "SignerError" || cause._tag === "UnsafeOperation")
    ? cause
    : new SignerError({
        ...failureOf(cause),
        reason: "failed",
        message: `The signer failed: ${causeMessage(cause).match(/^[^\d@/]{1,46}$/)?.[0] ?? "no reason given"}.`
      })

/** Converts a promise signer's method to one that returns an effect, if the signer has the method. */
const lift = <I, A>(
  signer: object,
  method: ((input: I, abort: Abort) => Promise<A> | A) | undefined
): ((input: I) => Effect.Effect<A, SignError>) | undefined =>
  method &&
  ((input) => Effect.tryPromise({ try: async (signal) => method.call(signer, input, { signal }), catch: toSignError }))

/**
 * Creates an EVM signer from functions that return promises. A rejection becomes a `SignerError`, but errors from this
 * package are passed on unchanged.
 *
 * @example
 * ```ts
 * const signer = Signer.evmFromPromise({
 *   address: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
 *   capabilities: { authorization: false },
 *   signOperation: ({ geoOpHash }) => kms.personalSign(geoOpHash)
 * })
 * ```
 */
export const evmFromPromise = (signer: PromiseEvmSigner): Evm =>
  compact({
    address: signer.address,
    capabilities: signer.capabilities,
    verifyOperation: lift(signer, signer.verifyOperation),
    signOperation: lift(signer, signer.signOperation) as Evm["signOperation"],
    verifyPayment: lift(signer, signer.verifyPayment),
    signPayment: lift(signer, signer.signPayment),
    signAuthorization: lift(signer, signer.signAuthorization),
    signRevocation: lift(signer, signer.signRevocation)
  })

/** Creates a Solana signer from functions that return promises. */
export const solanaFromPromise = (signer: PromiseSolanaSigner): Solana =>
  compact({
    address: signer.address,
    verifyTransaction: lift(signer, signer.verifyTransaction),
    signTransaction: lift(signer, signer.signTransaction) as Solana["signTransaction"]
  })

/** Runs an effect as a promise that rejects with the error itself or with the signal's abort reason. */
const lower =
  <I, A>(method: (input: I) => Effect.Effect<A, SignError>) =>
  async (input: I, { signal }: Partial<Abort> = {}): Promise<A> => {
    throwIfAborted(signal)
    const exit = await Effect.runPromiseExit(method(input), signal && { signal })
    if (exit._tag === "Success") return exit.value
    throwIfAborted(signal)
    throw Cause.squash(exit.cause)
  }

/** Converts an EVM signer to one whose methods return promises, so that you have to write the signer only once. */
export const evmToPromise = (signer: Evm): PromiseEvmSigner =>
  compact({
    address: signer.address,
    capabilities: signer.capabilities,
    verifyOperation: signer.verifyOperation && lower(signer.verifyOperation),
    signOperation: lower(signer.signOperation),
    verifyPayment: signer.verifyPayment && lower(signer.verifyPayment),
    signPayment: signer.signPayment && lower(signer.signPayment),
    signAuthorization: signer.signAuthorization && lower(signer.signAuthorization),
    signRevocation: signer.signRevocation && lower(signer.signRevocation)
  })

/** Converts a Solana signer to one whose methods return promises. */
export const solanaToPromise = (signer: Solana): PromiseSolanaSigner =>
  compact({
    address: signer.address,
    verifyTransaction: signer.verifyTransaction && lower(signer.verifyTransaction),
    signTransaction: lower(signer.signTransaction)
  })

/** A layer that provides the client's signers. */
export const layer = (signers: Signers["Service"]): Layer.Layer<Signers> => Layer.succeed(Signers, signers)

/**
 * Merges the layers from two signer packages, one for each chain family.
 *
 * @example
 * ```ts
 * const signers = Signer.merge(Signer.layer({ evm }), Signer.layer({ solana }))
 * ```
 */
export const merge = <E1, R1, E2, R2>(
  first: Layer.Layer<Signers, E1, R1>,
  second: Layer.Layer<Signers, E2, R2>
): Layer.Layer<Signers, E1 | E2, R1 | R2> =>
  Layer.effect(
    Signers,
    Effect.zipWith(Layer.build(first), Layer.build(second), (one, other) => ({
      ...Context.get(one, Signers),
      ...Context.get(other, Signers)
    }))
  )
