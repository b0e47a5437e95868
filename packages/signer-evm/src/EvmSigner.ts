/**
 * EVM signers for viem accounts, wallet clients, EIP-1193 providers and key services. The signers sign only
 * what the caller agreed to, and verify every signature that a wallet returns.
 */
import { Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Account, accountWallet } from "./internal/account.js"
import { type DigestService, type KeyService, keyServiceWallet, type MessageService } from "./internal/keyService.js"
import { type Options, type Requester, resolveOptions } from "./internal/options.js"
import type { SignatureForm } from "./internal/parseSignature.js"
import { providerWallet } from "./internal/provider.js"
import { make } from "./internal/signer.js"
import { type WalletClient, type WalletClientOptions, walletClientWallet } from "./internal/walletClient.js"

export type {
  Account,
  DigestService,
  KeyService,
  MessageService,
  Options,
  Requester,
  SignatureForm,
  WalletClient,
  WalletClientOptions
}

const signerOfAccount = (account: Account, options?: Options) => make(accountWallet(account), resolveOptions(options))

const signerOfWalletClient = (client: WalletClient, options?: WalletClientOptions) =>
  make(walletClientWallet(client, options), resolveOptions(options))

const signerOfProvider = (provider: Requester, address: string, options?: Options) =>
  make(providerWallet(provider, address), resolveOptions(options))

const signerOfKeyService = (service: KeyService, options?: Options) =>
  make(keyServiceWallet(service), resolveOptions(options))

/** The layer for a signer. Fails with the same `InvalidInput` that the signer's constructor throws. */
const layer = (construct: () => Signer.Evm): Layer.Layer<Signer.Signers, SwapError.InvalidInput> =>
  Layer.effect(
    Signer.Signers,
    Effect.try({ try: () => ({ evm: construct() }), catch: (error) => error as SwapError.InvalidInput })
  )

/**
 * A signer for a viem account that holds its key, from `privateKeyToAccount`, `mnemonicToAccount` or `toAccount`. The
 * signer can sign delegations if the account has `signAuthorization` or `sign`.
 *
 * @example
 * ```ts
 * const evm = EvmSigner.fromAccount(privateKeyToAccount(key))
 * const client = createClient({ transport, signers: { evm }, policy: { deployments } })
 * ```
 */
export const fromAccount = (account: Account, options?: Options): Signer.PromiseEvmSigner =>
  Signer.evmToPromise(signerOfAccount(account, options))

/**
 * A signer for a viem wallet client, such as the one from wagmi's `useWalletClient`. The signer can sign delegations
 * only if the client has a local account with `signAuthorization` or `sign`.
 *
 * @example
 * ```ts
 * const client = createWalletClient({ account, transport: custom(window.ethereum) })
 * const evm = EvmSigner.fromWalletClient(client)
 * ```
 */
export const fromWalletClient = (client: WalletClient, options?: WalletClientOptions): Signer.PromiseEvmSigner =>
  Signer.evmToPromise(signerOfWalletClient(client, options))

/**
 * A signer for one account from an EIP-1193 provider, such as a browser wallet. The signer cannot sign delegations.
 *
 * @example
 * ```ts
 * const [address] = await window.ethereum.request({ method: "eth_requestAccounts" })
 * const evm = EvmSigner.fromProvider(window.ethereum, address)
 * ```
 */
export const fromProvider = (provider: Requester, address: string, options?: Options): Signer.PromiseEvmSigner =>
  Signer.evmToPromise(signerOfProvider(provider, address, options))

/**
 * A signer for a key service: a KMS, an MPC service or a remote wallet. The signer accepts signatures in any common
 * format.
 *
 * @example
 * ```ts
 * const evm = EvmSigner.fromKeyService({ address, signDigest: (digest, { signal }) => kms.sign(digest, signal) })
 * ```
 */
export const fromKeyService = (keyService: KeyService, options?: Options): Signer.PromiseEvmSigner =>
  Signer.evmToPromise(signerOfKeyService(keyService, options))

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
