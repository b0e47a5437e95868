/** A wallet of the wallet standard as a wallet of ours. */
import { Chain, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { hasMethod, invalidInput, member } from "./given.js"
import { type Chosen, nameOf, type Options } from "./options.js"
import type { Wallet } from "./wallet.js"
import { kindOf, printable } from "./words.js"

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
  /** What the wallet is told about the chain; `solana:mainnet` for swaps from there, and nothing else, where absent. */
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
interface Seen {
  readonly account: WalletStandardAccount
  readonly address: unknown
  readonly canSign: boolean
}

const look = (account: WalletStandardAccount): Seen => {
  const features = member(account, "features")
  return {
    account,
    address: member(account, "address"),
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
  const feature = member(features, signing)
  if (!hasMethod(feature, "signTransaction")) {
    const only = member(features, "solana:signAndSendTransaction") !== undefined
    return invalidInput(
      "wallet",
      only
        ? `${name} can only sign and send at once, and GeoSwap's relayer is the one to send. Use a wallet with ${signing}`
        : `${name} cannot sign Solana transactions. Use a wallet with the feature ${signing}`
    )
  }
  const versions = member(feature, "supportedTransactionVersions")
  if (Array.isArray(versions) && versions.includes(0)) return feature as SigningFeature
  return invalidInput("wallet", `${name} does not sign transactions of version 0. Update it, or use another`)
}

const accountOf = (name: string, accounts: ReadonlyArray<Seen>, wanted: unknown): Seen | SwapError.InvalidInput => {
  if (accounts.length === 0) {
    return invalidInput("wallet", `${name} is not connected. Call its feature standard:connect first`)
  }
  if (wanted === undefined) {
    return (
      accounts.find(({ address, canSign }) => canSign && Chain.isAddress("solana", address)) ??
      invalidInput("wallet", `${name} is connected, but with no account that can sign Solana transactions`)
    )
  }
  const address = typeof wanted === "string" ? wanted : member(wanted, "address")
  if (!Chain.isAddress("solana", address)) {
    const found = kindOf(address ?? wanted)
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
  const accounts = member(wallet, "accounts")
  return Array.isArray(accounts) ? (accounts as ReadonlyArray<WalletStandardAccount>) : []
}

export const walletStandardWallet = Effect.fnUntraced(function* (
  wallet: WalletStandardWallet,
  { account: wanted, chain, name: chosen }: Chosen
): Effect.fn.Return<Wallet, SwapError.InvalidInput> {
  const [given, features, accounts] = [member(wallet, "name"), member(wallet, "features"), member(wallet, "accounts")]
  const name = chosen ?? (typeof given === "string" && given.trim() !== "" ? nameOf(given) : "The wallet")
  if (!Array.isArray(accounts) || typeof features !== "object") {
    return yield* invalidInput("wallet", `should be a wallet of the wallet standard, and is ${kindOf(wallet)}`)
  }
  if (chain !== undefined && !(typeof chain === "string" && /^solana:./.test(chain))) {
    const found = typeof chain === "string" ? printable(chain, 32) : kindOf(chain)
    return yield* invalidInput("chain", `should be one such as solana:mainnet, and is ${found}`)
  }
  const feature = featureOf(name, features)
  if (feature instanceof SwapError.InvalidInput) return yield* feature
  const seen = accountOf(name, accounts.map(look), wanted)
  if (seen instanceof SwapError.InvalidInput) return yield* seen
  const address = seen.address as string
  return {
    name,
    address,
    sign: async ({ bytes, originChain }) => {
      const told = chain ?? (originChain === Chain.solanaMainnet ? "solana:mainnet" : undefined)
      const outputs = await feature.signTransaction({
        // The wallet may have replaced the object since.
        account: accountsOf(wallet).find((account) => member(account, "address") === address) ?? seen.account,
        transaction: bytes,
        ...(told !== undefined && { chain: told as Identifier })
      })
      if (!Array.isArray(outputs)) return { noList: outputs }
      return {
        transaction: member(outputs[0], "signedTransaction"),
        others: () => accountsOf(wallet).map((account) => member(account, "address"))
      }
    }
  }
})
