/** The Solana signers as layers, and as objects whose methods return promises. */
import { Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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

export * from "./PromiseSolanaSigner.js"

const toLayer = (signer: SignerEffect): Layer.Layer<Signer.Signers, SwapError.InvalidInput> =>
  Layer.effect(
    Signer.Signers,
    Effect.map(signer, (solana) => ({ solana }))
  )

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
