/** A wallet of the wallet standard as a wallet of ours. */
import { Chain, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { hasMethod, invalidInput, member, nameOf, type Options, type Wallet } from "./wallet.js"
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
  }) => Promise<ReadonlyArray<{ readonly signedTransaction: Uint8Array }>>
}

const canSign = (account: WalletStandardAccount): boolean =>
  Array.isArray(account?.features) && account.features.includes(signing)

/** The feature that signs and does nothing else; `solana:signAndSendTransaction` is never used. */
const featureOf = (name: string, features: unknown): SigningFeature | SwapError.InvalidInput => {
  const feature = member(features, signing)
  if (!hasMethod(feature, "signTransaction")) {
    const only = member(features, "solana:signAndSendTransaction") !== undefined
    return invalidInput(
      "wallet",
      only
        ? `wallet: ${name} can only sign and send at once, and GeoSwap's relayer is the one to send. Use a wallet with ${signing}.`
        : `wallet: ${name} cannot sign Solana transactions. Use a wallet with the feature ${signing}.`
    )
  }
  const versions = member(feature, "supportedTransactionVersions")
  if (Array.isArray(versions) && versions.includes(0)) return feature as SigningFeature
  return invalidInput("wallet", `wallet: ${name} does not sign transactions of version 0. Update it, or use another.`)
}

const accountOf = (
  name: string,
  accounts: ReadonlyArray<WalletStandardAccount>,
  wanted: WalletStandardOptions["account"]
): WalletStandardAccount | SwapError.InvalidInput => {
  if (accounts.length === 0) {
    return invalidInput("wallet", `wallet: ${name} is not connected. Call its feature standard:connect first.`)
  }
  if (wanted === undefined) {
    return (
      accounts.find((account) => canSign(account) && Chain.isAddress("solana", account.address)) ??
      invalidInput("wallet", `wallet: ${name} is connected, but with no account that can sign Solana transactions.`)
    )
  }
  const address = typeof wanted === "string" ? wanted : member(wanted, "address")
  if (!Chain.isAddress("solana", address)) {
    const found = kindOf(address ?? wanted)
    return invalidInput("account", `account: should be an account or an address on Solana, and is ${found}.`)
  }
  const account = accounts.find((account) => account.address === address)
  if (account === undefined) {
    return invalidInput("account", `account: ${name} is not connected with ${address}. Connect that account first.`)
  }
  return canSign(account)
    ? account
    : invalidInput("account", `account: ${address} of ${name} cannot sign Solana transactions.`)
}

export const walletStandardWallet = Effect.fnUntraced(function* (
  wallet: WalletStandardWallet,
  options: WalletStandardOptions | undefined
): Effect.fn.Return<Wallet, SwapError.InvalidInput> {
  const given = member(wallet, "name")
  const name = yield* nameOf(options, typeof given === "string" && given.trim() !== "" ? given : "The wallet")
  if (!Array.isArray(member(wallet, "accounts")) || typeof member(wallet, "features") !== "object") {
    return yield* invalidInput("wallet", `wallet: should be a wallet of the wallet standard, and is ${kindOf(wallet)}.`)
  }
  const { chain } = options ?? {}
  if (chain !== undefined && !(typeof chain === "string" && /^solana:./.test(chain))) {
    const found = typeof chain === "string" ? printable(chain, 32) : kindOf(chain)
    return yield* invalidInput("chain", `chain: should be one such as solana:mainnet, and is ${found}.`)
  }
  const feature = featureOf(name, wallet.features)
  if (feature instanceof SwapError.InvalidInput) return yield* feature
  const account = accountOf(name, wallet.accounts, options?.account)
  if (account instanceof SwapError.InvalidInput) return yield* account
  const { address } = account
  return {
    name,
    address,
    sign: async ({ bytes, originChain }) => {
      const told = chain ?? (originChain === Chain.solanaMainnet ? "solana:mainnet" : undefined)
      const [output] = await feature.signTransaction({
        // The wallet may have replaced the object since.
        account: wallet.accounts.find((account) => account.address === address) ?? account,
        transaction: bytes,
        ...(told && { chain: told })
      })
      const others = wallet.accounts.map((account) => account.address).filter((other) => other !== address)
      return { transaction: output?.signedTransaction, others }
    }
  }
})
