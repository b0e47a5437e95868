/**
 * Solana signers for key pairs, kit signers, wallets and key services. The signers sign only what the caller agreed to.
 */
import { Signer } from "@geoswap/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { KeyService } from "./internal/keyService.js"
import type { KitSigner } from "./internal/kitSigner.js"
import type { Options } from "./internal/options.js"
import {
  type SignerEffect,
  signerOfKeyPair,
  signerOfKeyService,
  signerOfKitSigner,
  signerOfWalletStandard
} from "./internal/signerOf.js"
import type { WalletStandardOptions, WalletStandardWallet } from "./internal/walletStandard.js"

export type { KeyService, MessageKeyService, TransactionKeyService } from "./internal/keyService.js"
export type { KitSigner } from "./internal/kitSigner.js"
export type { Options } from "./internal/options.js"
export type { WalletStandardAccount, WalletStandardOptions, WalletStandardWallet } from "./internal/walletStandard.js"

/** Returns the promise version of a signer. If the effect fails with `InvalidInput`, throws that error. */
const toPromiseSigner = (signer: SignerEffect): Signer.PromiseSolanaSigner => {
  const exit = Effect.runSyncExit(signer)
  if (exit._tag === "Success") return Signer.solanaToPromise(exit.value)
  throw Cause.squash(exit.cause)
}

/**
 * A signer for a WebCrypto Ed25519 key pair. Rejects with `InvalidInput` if the key pair cannot sign.
 *
 * @example
 * ```ts
 * const solana = await SolanaSigner.fromKeyPair(await createKeyPairFromBytes(secretKey))
 * const client = createClient({ network, transport, signers: { solana } })
 * ```
 */
export const fromKeyPair = async (keyPair: CryptoKeyPair, options?: Options): Promise<Signer.PromiseSolanaSigner> =>
  Signer.solanaToPromise(await Effect.runPromise(signerOfKeyPair(keyPair, options)))

/**
 * A signer that wraps a kit signer with `signTransactions` or `modifyAndSignTransactions`. Throws `InvalidInput` if the
 * kit signer has neither, for example if it can only sign and send.
 */
export const fromKitSigner = (signer: KitSigner, options?: Options): Signer.PromiseSolanaSigner =>
  toPromiseSigner(signerOfKitSigner(signer, options))

/**
 * A signer for a connected wallet with the `solana:signTransaction` feature. Throws `InvalidInput` if the wallet is not
 * connected or cannot sign without sending.
 *
 * @example
 * ```ts
 * const solana = SolanaSigner.fromWalletStandard(phantom, { account: address })
 * ```
 */
export const fromWalletStandard = (
  wallet: WalletStandardWallet,
  options?: WalletStandardOptions
): Signer.PromiseSolanaSigner => toPromiseSigner(signerOfWalletStandard(wallet, options))

/**
 * A signer for a KMS, an MPC service or a remote signer. Throws `InvalidInput` if the address or signing method is
 * missing.
 *
 * @example
 * ```ts
 * const solana = SolanaSigner.fromKeyService({
 *   address,
 *   signMessage: (message, { signal }) => kms.signEd25519(keyId, message, { signal })
 * })
 * ```
 */
export const fromKeyService = (keyService: KeyService, options?: Options): Signer.PromiseSolanaSigner =>
  toPromiseSigner(signerOfKeyService(keyService, options))
