/** A wallet of the wallet standard as a wallet of ours. */
import { Chain, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { invalidInput } from "./constructorInput.js"
import { describeKind, printable } from "./describeValue.js"
import { nameOf, type Options, type ResolvedOptions } from "./options.js"
import { hasMethod, readProperty } from "./properties.js"
import type { Wallet } from "./wallet.js"

/** A name of the wallet standard, such as `solana:mainnet`. */
type Identifier = `${string}:${string}`

/** An account of such a wallet: `WalletAccount` of `@wallet-standard/base` is one. */
export interface WalletStandardAccount {
  readonly address: string
  readonly features: ReadonlyArray<Identifier>
}

/** A wallet of the wallet standard: `Wallet` of `@wallet-standard/base` is one. */
export interface WalletStandardWallet {
  readonly name: string
  readonly accounts: ReadonlyArray<WalletStandardAccount>
  readonly features: Readonly<Record<Identifier, unknown>>
}

/** What a signer of such a wallet takes. */
export interface WalletStandardOptions extends Options {
  /** The account to sign with, or its address. The first that can sign where absent. */
  readonly account?: Pick<WalletStandardAccount, "address"> | string | undefined
  /** What the wallet is chainName about the chain; `solana:mainnet` for swaps from there, and nothing else, where absent. */
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

/** An account with what was read of it. */
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

/** The feature that signs and does nothing else; `solana:signAndSendTransaction` is never used. */
const featureOf = (name: string, features: unknown): SigningFeature | SwapError.InvalidInput => {
  if (Array.isArray(features)) {
    const real = "Take the wallet of the same name from getWallets() of @wallet-standard/app"
    return invalidInput(
      "wallet",
      `${name} only has the names of its features, as useWallets of React gives it. ${real}`
    )
  }
  const feature = readProperty(features, signing)
  if (!hasMethod(feature, "signTransaction")) {
    const only = readProperty(features, "solana:signAndSendTransaction") !== undefined
    return invalidInput(
      "wallet",
      only
        ? `${name} can only sign and send at once, and GeoSwap's relayer is the one to send. Use a wallet with ${signing}`
        : `${name} cannot sign Solana transactions. Use a wallet with the feature ${signing}`
    )
  }
  const versions = readProperty(feature, "supportedTransactionVersions")
  if (Array.isArray(versions) && versions.includes(0)) return feature as SigningFeature
  return invalidInput("wallet", `${name} does not sign transactions of version 0. Update it, or use another`)
}

const accountOf = (
  name: string,
  accounts: ReadonlyArray<ReadAccount>,
  wanted: unknown
): ReadAccount | SwapError.InvalidInput => {
  if (accounts.length === 0) {
    return invalidInput("wallet", `${name} is not connected. Call its feature standard:connect first`)
  }
  if (wanted === undefined) {
    return (
      accounts.find(({ address, canSign }) => canSign && Chain.isAddress("solana", address)) ??
      invalidInput("wallet", `${name} is connected, but with no account that can sign Solana transactions`)
    )
  }
  const address = typeof wanted === "string" ? wanted : readProperty(wanted, "address")
  if (!Chain.isAddress("solana", address)) {
    const found = describeKind(address ?? wanted)
    return invalidInput("account", `should be an account or an address on Solana, and is ${found}`)
  }
  const found = accounts.filter((account) => account.address === address)
  if (found.length === 0) {
    return invalidInput("account", `${name} is not connected with ${address}. Connect that account first`)
  }
  return (
    found.find(({ canSign }) => canSign) ??
    invalidInput("account", `${address} of ${name} cannot sign Solana transactions`)
  )
}

/** The accounts that a wallet has by now. */
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
    return yield* invalidInput("wallet", `should be a wallet of the wallet standard, and is ${describeKind(wallet)}`)
  }
  if (chain !== undefined && !(typeof chain === "string" && /^solana:./.test(chain))) {
    const found = typeof chain === "string" ? printable(chain, 32) : describeKind(chain)
    return yield* invalidInput("chain", `should be one such as solana:mainnet, and is ${found}`)
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
        // The wallet may have replaced the object since.
        account: accountsOf(wallet).find((account) => readProperty(account, "address") === address) ?? selected.account,
        transaction: bytes,
        ...(chainName !== undefined && { chain: chainName as Identifier })
      })
      if (!Array.isArray(outputs)) return { noList: outputs }
      return {
        transaction: readProperty(outputs[0], "signedTransaction"),
        others: () => accountsOf(wallet).map((account) => readProperty(account, "address"))
      }
    }
  }
})
