/**
 * EVM signers for viem accounts, wallet clients, EIP-1193 providers and key services. The signers sign only what the
 * caller agreed to, and verify every signature that a wallet returns.
 */
import { Signer } from "@geoswap/core"
import type { Account } from "./internal/account.js"
import type { DigestService, KeyService, MessageService } from "./internal/keyService.js"
import type { Options, Requester } from "./internal/options.js"
import type { SignatureForm } from "./internal/parseSignature.js"
import { signerOfAccount, signerOfKeyService, signerOfProvider, signerOfWalletClient } from "./internal/signerOf.js"
import type { WalletClient, WalletClientOptions } from "./internal/walletClient.js"

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

/**
 * A signer for a viem account that holds its key, from `privateKeyToAccount`, `mnemonicToAccount` or `toAccount`. The
 * signer can sign delegations if the account has `signAuthorization` or `sign`.
 *
 * @example
 * ```ts
 * const evm = EvmSigner.fromAccount(privateKeyToAccount(key))
 * const client = createClient({ network, transport, signers: { evm } })
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
