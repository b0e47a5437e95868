/** The EVM signers as layers, and as objects whose methods return promises. */
import { Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Account } from "./internal/account.js"
import type { KeyService } from "./internal/keyService.js"
import type { Options, Requester } from "./internal/options.js"
import { signerOfAccount, signerOfKeyService, signerOfProvider, signerOfWalletClient } from "./internal/signerOf.js"
import type { WalletClient, WalletClientOptions } from "./internal/walletClient.js"

export * from "./PromiseEvmSigner.js"

/** The layer for a signer. Fails with the same `InvalidInput` that the signer's constructor throws. */
const layer = (construct: () => Signer.Evm): Layer.Layer<Signer.Signers, SwapError.InvalidInput> =>
  Layer.effect(
    Signer.Signers,
    Effect.try({ try: () => ({ evm: construct() }), catch: (error) => error as SwapError.InvalidInput })
  )

/**
 * `fromAccount` as a layer.
 *
 * @example
 * ```ts
 * const signers = Signer.merge(EvmSigner.layerAccount(account), solana)
 * ```
 */
export const layerAccount = (
  account: Account,
  options?: Options
): Layer.Layer<Signer.Signers, SwapError.InvalidInput> => layer(() => signerOfAccount(account, options))

/** `fromWalletClient` as a layer. */
export const layerWalletClient = (
  client: WalletClient,
  options?: WalletClientOptions
): Layer.Layer<Signer.Signers, SwapError.InvalidInput> => layer(() => signerOfWalletClient(client, options))

/** `fromProvider` as a layer. */
export const layerProvider = (
  provider: Requester,
  address: string,
  options?: Options
): Layer.Layer<Signer.Signers, SwapError.InvalidInput> => layer(() => signerOfProvider(provider, address, options))

/** `fromKeyService` as a layer. */
export const layerKeyService = (
  keyService: KeyService,
  options?: Options
): Layer.Layer<Signer.Signers, SwapError.InvalidInput> => layer(() => signerOfKeyService(keyService, options))
