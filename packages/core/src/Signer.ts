/** The ports to whoever holds the keys. A signer is a plain object that is handed everything it needs to judge. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Authorization } from "./Delegation.js"
import type { Hex } from "./Hex.js"
import { compact } from "./codecs/compact.js"
import { causeMessage } from "./codecs/causeMessage.js"
import type { Agreement, BuiltOperation, BuiltTransaction, Deployment } from "./Operation.js"
import { isSwapError, type SignError, SignerError } from "./SwapError.js"

export { failure } from "./codecs/signerFailure.js"

/** An operation of an EVM origin, with what was agreed about it. */
export interface OperationToSign extends Agreement, Pick<BuiltOperation, "geoOpHash" | "geoOp"> {}

/** A transaction of a Solana origin, with what was agreed about it. */
export interface TransactionToSign extends Agreement, Pick<BuiltTransaction, "unsignedTransaction"> {}

/** An EIP-7702 delegation to sign; the chain id is never 0, which would be every chain. */
export interface AuthorizationToSign {
  readonly chainId: number
  /** The contract to delegate to. */
  readonly address: Hex
  readonly nonce: number
  readonly deployment?: Deployment
}

/** What an EVM signer can do, declared so that it is known before a quote is spent. */
export interface EvmCapabilities {
  /** Whether it can sign an EIP-7702 authorization; injected browser wallets cannot. */
  readonly authorization: boolean
}

/** Signs for an EVM wallet. */
export interface EvmSigner {
  readonly address: string
  readonly capabilities: EvmCapabilities
  /** Recomputes the hash and compares it with the agreement. A signer without it signs blindly. */
  readonly verifyOperation?: (operation: OperationToSign) => Effect.Effect<void, SignError>
  /** personal_sign over the raw 32 bytes of `geoOpHash`: 65 bytes, low s, v 27 or 28. */
  readonly signOperation: (operation: OperationToSign) => Effect.Effect<Hex, SignError>
  readonly signAuthorization?: (authorization: AuthorizationToSign) => Effect.Effect<Authorization, SignError>
}

/** Signs for a Solana wallet. */
export interface SolanaSigner {
  readonly address: string
  /** Decodes the transaction and compares it with the agreement. A signer without it signs blindly. */
  readonly verifyTransaction?: (transaction: TransactionToSign) => Effect.Effect<void, SignError>
  /** The same transaction with the wallet's signature, base64. */
  readonly signTransaction: (transaction: TransactionToSign) => Effect.Effect<string, SignError>
}

/** How a promise-returning signer function learns that nobody waits for it any more. */
export interface Abort {
  readonly signal: AbortSignal
}

/** An EVM signer in promises, for key services, wallets and anyone who does not use Effect. */
export interface PromiseEvmSigner {
  readonly address: string
  readonly capabilities: EvmCapabilities
  readonly verifyOperation?: (operation: OperationToSign, abort: Abort) => Promise<void> | void
  readonly signOperation: (operation: OperationToSign, abort: Abort) => Promise<Hex>
  readonly signAuthorization?: (authorization: AuthorizationToSign, abort: Abort) => Promise<Authorization>
}

/** A Solana signer in promises. */
export interface PromiseSolanaSigner {
  readonly address: string
  readonly verifyTransaction?: (transaction: TransactionToSign, abort: Abort) => Promise<void> | void
  readonly signTransaction: (transaction: TransactionToSign, abort: Abort) => Promise<string>
}

/** The signers of a client, one per chain family. */
export class Signers extends Context.Service<Signers, { readonly evm?: EvmSigner; readonly solana?: SolanaSigner }>()(
  "@geoswap/core/Signers"
) {}

/**
 * A signer's failure as one of our errors; what is one already stays as it is. Of what else it throws, a few words count
 * that are too short for a seed and have no digit, as keys have; `failure` tells more.
 */
const toSignError = (cause: unknown): SignError =>
  isSwapError(cause) && (cause._tag === "SignerError" || cause._tag === "UnsafeOperation")
    ? cause
    : new SignerError({
        reason: "failed",
        message: `The signer failed: ${causeMessage(cause).match(/^[^\d@/]{1,46}$/)?.[0] ?? "no reason given"}.`
      })

/** A method of a promise signer as an effect, where the signer has it. */
const lift = <I, A>(
  signer: object,
  method: ((input: I, abort: Abort) => Promise<A> | A) | undefined
): ((input: I) => Effect.Effect<A, SignError>) | undefined =>
  method &&
  ((input) => Effect.tryPromise({ try: async (signal) => method.call(signer, input, { signal }), catch: toSignError }))

/**
 * An EVM signer from functions that return promises. A rejection becomes a `SignerError`; an error of this package is
 * kept.
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
export const evmFromPromise = (signer: PromiseEvmSigner): EvmSigner =>
  compact({
    address: signer.address,
    capabilities: signer.capabilities,
    verifyOperation: lift(signer, signer.verifyOperation),
    signOperation: lift(signer, signer.signOperation) as EvmSigner["signOperation"],
    signAuthorization: lift(signer, signer.signAuthorization)
  })

/** A Solana signer from functions that return promises. */
export const solanaFromPromise = (signer: PromiseSolanaSigner): SolanaSigner =>
  compact({
    address: signer.address,
    verifyTransaction: lift(signer, signer.verifyTransaction),
    signTransaction: lift(signer, signer.signTransaction) as SolanaSigner["signTransaction"]
  })

/** An effect as a promise, which rejects with the error itself, or with the signal's reason. */
const lower =
  <I, A>(method: (input: I) => Effect.Effect<A, SignError>) =>
  async (input: I, { signal }: Partial<Abort> = {}): Promise<A> => {
    signal?.throwIfAborted()
    const exit = await Effect.runPromiseExit(method(input), signal && { signal })
    if (exit._tag === "Success") return exit.value
    signal?.throwIfAborted()
    throw Cause.squash(exit.cause)
  }

/** An EVM signer in promises from one in effects, so that an author writes it once for both kinds of users. */
export const evmToPromise = (signer: EvmSigner): PromiseEvmSigner =>
  compact({
    address: signer.address,
    capabilities: signer.capabilities,
    verifyOperation: signer.verifyOperation && lower(signer.verifyOperation),
    signOperation: lower(signer.signOperation),
    signAuthorization: signer.signAuthorization && lower(signer.signAuthorization)
  })

/** A Solana signer in promises from one in effects. */
export const solanaToPromise = (signer: SolanaSigner): PromiseSolanaSigner =>
  compact({
    address: signer.address,
    verifyTransaction: signer.verifyTransaction && lower(signer.verifyTransaction),
    signTransaction: lower(signer.signTransaction)
  })

/** The signers of a client, as a layer. */
export const layer = (signers: Signers["Service"]): Layer.Layer<Signers> => Layer.succeed(Signers, signers)

/**
 * Joins the layers of two signer packages, each of which brings one family.
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
