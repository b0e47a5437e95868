/** Creates the signer for each kind of wallet. Throws `InvalidInput` if the wallet or an option is invalid. */
import type { Signer } from "@geoswap/core"
import { type Account, accountWallet } from "./account.js"
import { type KeyService, keyServiceWallet } from "./keyService.js"
import { type Options, type Requester, resolveOptions } from "./options.js"
import { providerWallet } from "./provider.js"
import { make } from "./signer.js"
import { type WalletClient, type WalletClientOptions, walletClientWallet } from "./walletClient.js"

export const signerOfAccount = (account: Account, options?: Options): Signer.Evm =>
  make(accountWallet(account), resolveOptions(options))

export const signerOfWalletClient = (client: WalletClient, options?: WalletClientOptions): Signer.Evm =>
  make(walletClientWallet(client, options), resolveOptions(options))

export const signerOfProvider = (provider: Requester, address: string, options?: Options): Signer.Evm =>
  make(providerWallet(provider, address), resolveOptions(options))

export const signerOfKeyService = (service: KeyService, options?: Options): Signer.Evm =>
  make(keyServiceWallet(service), resolveOptions(options))
