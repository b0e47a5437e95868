/** Adapts a Wallet Standard wallet to the signer's wallet interface. */
import { Chain, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { invalidInput } from "./constructorInput.js"
import { describeKind, printable } from "./describeValue.js"
import { nameOf, type Options, type ResolvedOptions } from "./options.js"
import { hasMethod, readProperty } from "./properties.js"
import type { Wallet } from "./wallet.js"

/** A Wallet Standard identifier, such as `solana:mainnet`. */
type Identifier = `${string}:${string}`

/** An account in a Wallet Standard wallet. `WalletAccount` from `@wallet-standard/base` is assignable to this type. */
export interface WalletStandardAccount {
  readonly address: string
  readonly features: ReadonlyArray<Identifier>
}

/** A Wallet Standard wallet. `Wallet` from `@wallet-standard/base` is assignable to this type. */
export interface WalletStandardWallet {
  readonly name: string
  readonly accounts: ReadonlyArray<WalletStandardAccount>
  readonly features: Readonly<Record<Identifier, unknown>>
}

/** Options for a signer that uses a Wallet Standard wallet. */
export interface WalletStandardOptions extends Options {
  /** The account to sign with, or its address (default: the first account that can sign). */
  readonly account?: Pick<WalletStandardAccount, "address"> | string | undefined
  /** The chain to pass to the wallet (default: `solana:mainnet` for swaps from mainnet, otherwise none). */
  readonly chain?: Identifier | undefined
}

const signing = "solana:signTransaction"

interface SigningFeature {
  readonly signTransaction: (input: {
    readonly account: WalletStandardAccount
    readonly transaction: Uint8Array
    readonly chain?: Identifier
  }) => Promise<unknown>
}

/** A wallet's account and the values that were read from it. */
interface ReadAccount {
  readonly account: WalletStandardAccount
  readonly address: unknown
  readonly canSign: boolean
}

const readAccount = (account: WalletStandardAccount): ReadAccount => {
  const features = readProperty(account, "features")
  return {
    account,
    address: readProperty(account, "address"),
    canSign: Array.isArray(features) && features.includes(signing)
  }
}

/** Returns the feature that signs without sending. `solana:signAndSendTransaction` is never used. */
const featureOf = (name: string, features: unknown): SigningFeature | SwapError.InvalidInput => {
  if (Array.isArray(features)) {
    const real = "Use the wallet with the same name from getWallets() in @wallet-standard/app."
    return invalidInput(
      "wallet",
      `${name} contains only the names of its features, as returned by the useWallets React hook. ${real}`
    )
  }
  const feature = readProperty(features, signing)
  if (!hasMethod(feature, "signTransaction")) {
    const only = readProperty(features, "solana:signAndSendTransaction") !== undefined
    return invalidInput(
      "wallet",
      only
        ? `${name} can only sign and send in one step, but the GeoSwap relayer must send the transaction. Use a wallet with ${signing}.`
        : `${name} cannot sign Solana transactions. Use a wallet with the ${signing} feature.`
    )
  }
  const versions = readProperty(feature, "supportedTransactionVersions")
  if (Array.isArray(versions) && versions.includes(0)) return feature as SigningFeature
  return invalidInput("wallet", `${name} does not sign version 0 transactions. Update it, or use another wallet.`)
}

const accountOf = (
  name: string,
  accounts: ReadonlyArray<ReadAccount>,
  wanted: unknown
): ReadAccount | SwapError.InvalidInput => {
  if (accounts.length === 0) {
    return invalidInput("wallet", `${name} is not connected. Call its standard:connect feature first.`)
  }
  if (wanted === undefined) {
    return (
      accounts.find(({ address, canSign }) => canSign && Chain.isAddress("solana", address)) ??
      invalidInput("wallet", `${name} has no connected account that can sign Solana transactions.`)
    )
  }
  const address = typeof wanted === "string" ? wanted : readProperty(wanted, "address")
  if (!Chain.isAddress("solana", address)) {
    const found = describeKind(address ?? wanted)
    return invalidInput("account", `expected a Solana account or address, got ${found}.`)
  }
  const found = accounts.filter((account) => account.address === address)
  if (found.length === 0) {
    return invalidInput("account", `${name} is not connected to ${address}. Connect that account first.`)
  }
  return (
    found.find(({ canSign }) => canSign) ??
    invalidInput("account", `${name} cannot sign Solana transactions with ${address}. Use another account.`)
  )
}

/** A wallet's current accounts. */
const accountsOf = (wallet: WalletStandardWallet): ReadonlyArray<WalletStandardAccount> => {
  const accounts = readProperty(wallet, "accounts")
  return Array.isArray(accounts) ? (accounts as ReadonlyArray<WalletStandardAccount>) : []
}

export const walletStandardWallet = Effect.fnUntraced(function* (
  wallet: WalletStandardWallet,
  { account: wanted, chain, name: chosenName }: ResolvedOptions
): Effect.fn.Return<Wallet, SwapError.InvalidInput> {
  const [walletName, features, accounts] = [
    readProperty(wallet, "name"),
    readProperty(wallet, "features"),
    readProperty(wallet, "accounts")
  ]
  const name =
    chosenName ?? (typeof walletName === "string" && walletName.trim() !== "" ? nameOf(walletName) : "The wallet")
  if (!Array.isArray(accounts) || typeof features !== "object") {
    return yield* invalidInput("wallet", `expected a Wallet Standard wallet, got ${describeKind(wallet)}.`)
  }
  if (chain !== undefined && !(typeof chain === "string" && /^solana:./.test(chain))) {
    const found = typeof chain === "string" ? printable(chain, 32) : describeKind(chain)
    return yield* invalidInput("chain", `expected an identifier such as solana:mainnet, got ${found}.`)
  }
  const feature = featureOf(name, features)
  if (feature instanceof SwapError.InvalidInput) return yield* feature
  const selected = accountOf(name, accounts.map(readAccount), wanted)
  if (selected instanceof SwapError.InvalidInput) return yield* selected
  const address = selected.address as string
  return {
    name,
    address,
    sign: async ({ bytes, originChain }) => {
      const chainName = chain ?? (originChain === Chain.solanaMainnet ? "solana:mainnet" : undefined)
      const outputs = await feature.signTransaction({
        // The wallet may have replaced the account object.
        account: accountsOf(wallet).find((account) => readProperty(account, "address") === address) ?? selected.account,
        transaction: bytes,
        ...(chainName !== undefined && { chain: chainName as Identifier })
      })
      if (!Array.isArray(outputs)) return { notArray: outputs }
      return {
        transaction: readProperty(outputs[0], "signedTransaction"),
        others: () => accountsOf(wallet).map((account) => readProperty(account, "address"))
      }
    }
  }
})
