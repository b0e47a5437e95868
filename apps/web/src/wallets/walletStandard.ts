/** Discovers Solana wallets through the Wallet Standard. Loaded as a separate chunk. */
import { SolanaSignTransaction as signing } from "@solana/wallet-standard-features"
import { getWallets } from "@wallet-standard/app"
import type { Wallet as Standard } from "@wallet-standard/base"
import { lazySolana } from "./lazySigner.js"
import { type WalletOption, iconOf, nameOf, type SolanaWallet } from "./Wallet.js"
import { text } from "../language/language.js"

interface ConnectFeature {
  readonly connect: (input?: { readonly silent?: boolean }) => Promise<{ readonly accounts: Standard["accounts"] }>
}

interface EventsFeature {
  readonly on: (event: "change", listener: (change: { readonly accounts?: unknown }) => void) => () => void
}

/**
 * Creates the option for a wallet, or returns `undefined` if the wallet cannot connect or cannot sign without sending.
 */
const optionOf = (standard: Standard, network: string | undefined): WalletOption | undefined => {
  const { [signing]: signs, "standard:connect": connects, "standard:events": events } = standard.features
  if (signs === undefined || connects === undefined) return undefined
  const common = {
    family: "solana",
    name: nameOf(standard.name, text.wallets.solanaWallet),
    icon: iconOf(standard.icon)
  } as const
  const current = (): SolanaWallet | undefined => {
    const account = standard.accounts.find(({ features }) => features.includes(signing))
    if (account === undefined) return undefined
    const { address, chains } = account
    return {
      ...common,
      address,
      prompts: true,
      ...lazySolana(address, async () => {
        const { standardSigner } = await import("./solanaSigning.js")
        const chain = chains.find((known) => known === network)
        return standardSigner(standard, { account: address, ...(chain !== undefined && { chain }) })
      })
    }
  }
  return {
    ...common,
    id: `standard:${standard.name}`,
    connect: async (silent) => {
      await (connects as ConnectFeature).connect(silent ? { silent } : {})
      return current()
    },
    onAccountChange:
      events === undefined
        ? undefined
        : (changed) => (events as EventsFeature).on("change", ({ accounts }) => accounts && changed(current()))
  }
}

/**
 * Calls `found` with each wallet that is discovered, now or later. `network` is passed to wallets that support this
 * network. Returns a function that unsubscribes.
 */
export const discover = (found: (option: WalletOption) => void, network?: string): (() => void) => {
  const wallets = getWallets()
  const report = (...known: ReadonlyArray<Standard>) => {
    for (const option of known.map((wallet) => optionOf(wallet, network))) if (option !== undefined) found(option)
  }
  report(...wallets.get())
  return wallets.on("register", report)
}
