/** Creates the signer for each kind of wallet. */
import type { Signer, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { invalidInput, readInput } from "./constructorInput.js"
import { isKeyless } from "./keyless.js"
import { keyPairWallet } from "./keyPair.js"
import { type KeyService, keyServiceWallet } from "./keyService.js"
import { type KitSigner, kitSignerWallet } from "./kitSigner.js"
import { type Options, type ResolvedOptions, resolveOptions } from "./options.js"
import { make } from "./signer.js"
import type { Wallet } from "./wallet.js"
import { type WalletStandardOptions, type WalletStandardWallet, walletStandardWallet } from "./walletStandard.js"

/** The signer, or why its wallet or an option is invalid. */
export type SignerEffect = Effect.Effect<Signer.Solana, SwapError.InvalidInput>

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

export const signerOfKeyPair = (keyPair: CryptoKeyPair, options?: Options): SignerEffect =>
  makeSigner("keyPair", options, (resolved) => keyPairWallet(keyPair, resolved))

export const signerOfKitSigner = (signer: KitSigner, options?: Options): SignerEffect =>
  makeSigner("signer", options, (resolved) => kitSignerWallet(signer, resolved))

export const signerOfWalletStandard = (wallet: WalletStandardWallet, options?: WalletStandardOptions): SignerEffect =>
  makeSigner("wallet", options, (resolved) => walletStandardWallet(wallet, resolved))

export const signerOfKeyService = (keyService: KeyService, options?: Options): SignerEffect =>
  makeSigner("keyService", options, (resolved) => keyServiceWallet(keyService, resolved))
