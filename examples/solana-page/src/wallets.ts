/** Solana wallets in this browser (Wallet Standard). */
import type { PromiseSolanaSigner } from "@geoswap/core/promise"
import { SolanaSigner } from "@geoswap/signer-solana/promise"
import { getWallets } from "@wallet-standard/app"
import type { Wallet } from "@wallet-standard/base"
import {
  StandardConnect,
  type StandardConnectFeature,
  StandardEvents,
  type StandardEventsFeature
} from "@wallet-standard/features"

/** Calls `found` with each wallet that can sign Solana transactions, now or later. */
export const findWallets = (found: (wallet: Wallet) => void): void => {
  const report = (...wallets: ReadonlyArray<Wallet>) =>
    wallets
      .filter(({ features }) => StandardConnect in features && "solana:signTransaction" in features)
      .forEach((wallet) => found(wallet))
  const { get, on } = getWallets()
  report(...get())
  on("register", report)
}

/** Connects a wallet and returns its signer. Throws if the wallet cannot sign without sending. */
export const connect = async (wallet: Wallet): Promise<PromiseSolanaSigner> => {
  await (wallet.features as StandardConnectFeature)[StandardConnect].connect()
  return SolanaSigner.fromWalletStandard(wallet)
}

/**
 * Calls `changed` when the user selects another account or disconnects the wallet. Returns a function that
 * unsubscribes.
 */
export const onAccountChange = (wallet: Wallet, changed: () => void): (() => void) => {
  const events = (wallet.features as Partial<StandardEventsFeature>)[StandardEvents]
  return events?.on("change", ({ accounts }) => accounts && changed()) ?? (() => {})
}
