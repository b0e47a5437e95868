/** Solana wallets of the wallet standard; a chunk of its own. */
import { SolanaSignTransaction as signing } from "@solana/wallet-standard-features"
import { getWallets } from "@wallet-standard/app"
import type { Wallet as Standard, WalletAccount } from "@wallet-standard/base"
import { lazySolana } from "./lazySigner.js"
import { type WalletOption, iconOf, nameOf, type SolanaWallet } from "./Wallet.js"

interface ConnectFeature {
  readonly connect: (input?: { readonly silent?: boolean }) => Promise<{ readonly accounts: Standard["accounts"] }>
}

interface EventsFeature {
  readonly on: (event: "change", listener: (change: { readonly accounts?: unknown }) => void) => () => void
}

const canSign = ({ features }: WalletAccount): boolean => features.includes(signing)

const walletOf = (
  standard: Standard,
  { address, chains }: WalletAccount,
  network: string | undefined
): SolanaWallet => ({
  family: "solana",
  name: nameOf(standard.name, "Solana wallet"),
  address,
  icon: iconOf(standard.icon),
  asks: true,
  ...lazySolana(address, async () => {
    const { standardSigner } = await import("./solanaSigning.js")
    const chain = chains.find((known) => known === network)
    return standardSigner(standard, { account: address, ...(chain !== undefined && { chain }) })
  })
})

/** A wallet to choose, where it can connect and sign without sending. */
const choiceOf = (standard: Standard, network: string | undefined): WalletOption | undefined => {
  const { [signing]: signs, "standard:connect": connects, "standard:events": events } = standard.features
  if (signs === undefined || connects === undefined) return undefined
  const current = () => {
    const account = standard.accounts.find(canSign)
    return account && walletOf(standard, account, network)
  }
  return {
    id: `standard:${standard.name}`,
    family: "solana",
    name: nameOf(standard.name, "Solana wallet"),
    icon: iconOf(standard.icon),
    connect: async (silent) => {
      await (connects as ConnectFeature).connect(silent ? { silent } : {})
      return current()
    },
    follow:
      events === undefined
        ? undefined
        : (changed) => (events as EventsFeature).on("change", ({ accounts }) => accounts && changed(current()))
  }
}

/** Tells of every wallet there is, now or later; `network` is what wallets that know it are told. */
export const discover = (found: (choice: WalletOption) => void, network?: string): (() => void) => {
  const wallets = getWallets()
  const tell = (...known: ReadonlyArray<Standard>) => {
    for (const choice of known.map((wallet) => choiceOf(wallet, network))) if (choice !== undefined) found(choice)
  }
  tell(...wallets.get())
  return wallets.on("register", tell)
}
