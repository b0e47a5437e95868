/**
 * Solana signers for key pairs, kit signers, wallets and key services. The signers sign only what the caller agreed to.
 */
import { Signer, type SwapError } from "@geoswap/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { invalidInput, readInput } from "./internal/constructorInput.js"
import { isKeyless } from "./internal/keyless.js"
import { keyPairWallet } from "./internal/keyPair.js"
import { type KeyService, keyServiceWallet } from "./internal/keyService.js"
import { type KitSigner, kitSignerWallet } from "./internal/kitSigner.js"
import { type Options, type ResolvedOptions, resolveOptions } from "./internal/options.js"
import { make } from "./internal/signer.js"
import type { Wallet } from "./internal/wallet.js"
import {
  type WalletStandardOptions,
  type WalletStandardWallet,
  walletStandardWallet
} from "./internal/walletStandard.js"

export type { KeyService, MessageKeyService, TransactionKeyService } from "./internal/keyService.js"
export type { KitSigner } from "./internal/kitSigner.js"
export type { Options } from "./internal/options.js"
export type { WalletStandardAccount, WalletStandardOptions, WalletStandardWallet } from "./internal/walletStandard.js"

type SignerEffect = Effect.Effect<Signer.Solana, SwapError.InvalidInput>

/** Creates the signer for a wallet. Fails with `InvalidInput` if the wallet or an option is invalid. */
const makeSigner = Effect.fnUntraced(function* (
  field: string,
  options: Options | undefined,
  walletWith: (resolved: ResolvedOptions) => Effect.Effect<Wallet, SwapError.InvalidInput>
): Effect.fn.Return<Signer.Solana, SwapError.InvalidInput> {
  const resolved = yield* resolveOptions(options)
  const wallet = yield* readInput(field, walletWith(resolved))
  if (isKeyless(wallet.address)) {
    // The address is not shown, because the caller may have passed a seed by mistake, which is also 32 bytes in base58.
    return yield* invalidInput(
      field,
      "its address has no private key: it belongs to a multisig, a smart wallet or a program. Use a wallet with a key."
    )
  }
  return make(wallet, resolved)
})

const signerOfKeyPair = (keyPair: CryptoKeyPair, options?: Options) =>
  makeSigner("keyPair", options, (resolved) => keyPairWallet(keyPair, resolved))
const signerOfKitSigner = (signer: KitSigner, options?: Options) =>
  makeSigner("signer", options, (resolved) => kitSignerWallet(signer, resolved))
const signerOfWalletStandard = (wallet: WalletStandardWallet, options?: WalletStandardOptions) =>
  makeSigner("wallet", options, (resolved) => walletStandardWallet(wallet, resolved))
const signerOfKeyService = (keyService: KeyService, options?: Options) =>
  makeSigner("keyService", options, (resolved) => keyServiceWallet(keyService, resolved))

/** Returns the promise version of a signer. If the effect fails with `InvalidInput`, throws that error. */
const toPromiseSigner = (signer: SignerEffect): Signer.PromiseSolanaSigner => {
  const exit = Effect.runSyncExit(signer)
  if (exit._tag === "Success") return Signer.solanaToPromise(exit.value)
  throw Cause.squash(exit.cause)
}

const toLayer = (signer: SignerEffect): Layer.Layer<Signer.Signers, SwapError.InvalidInput> =>
  Layer.effect(
    Signer.Signers,
    Effect.map(signer, (solana) => ({ solana }))
  )

/**
 * A signer for a WebCrypto Ed25519 key pair. Rejects with `InvalidInput` if the key pair cannot sign.
 *
 * @example
 * ```ts
 * const solana = await SolanaSigner.fromKeyPair(await createKeyPairFromBytes(secretKey))
 * const client = createClient({ transport, signers: { solana }, policy: { deployments } })
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

/** `fromKeyPair` as a layer. */
export const layerKeyPair = (
  keyPair: CryptoKeyPair,
  options?: Options
): Layer.Layer<Signer.Signers, SwapError.InvalidInput> => toLayer(signerOfKeyPair(keyPair, options))

/** `fromKitSigner` as a layer. */
export const layerKitSigner = (
  signer: KitSigner,
  options?: Options
): Layer.Layer<Signer.Signers, SwapError.InvalidInput> => toLayer(signerOfKitSigner(signer, options))

/** `fromWalletStandard` as a layer. */
export const layerWalletStandard = (
  wallet: WalletStandardWallet,
  options?: WalletStandardOptions
): Layer.Layer<Signer.Signers, SwapError.InvalidInput> => toLayer(signerOfWalletStandard(wallet, options))

/** `fromKeyService` as a layer. */
export const layerKeyService = (
  keyService: KeyService,
  options?: Options
): Layer.Layer<Signer.Signers, SwapError.InvalidInput> => toLayer(signerOfKeyService(keyService, options))
