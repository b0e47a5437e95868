/** What every part of the page shares. */
import { createContext, useContext } from "react"
import type { ResetBalances } from "./balances.js"
import type { Config } from "./config.js"
import type { ActivityStore } from "./activity/activityStore.js"
import type { Consent } from "./review/consent.js"
import type { ConnectedWallets, WalletStore } from "./wallets/walletStore.js"

/** The parts of the page that are made once, and the wallets as they are. */
export interface Page {
  readonly config: Config
  readonly store: WalletStore
  readonly wallets: ConnectedWallets
  readonly consent: Consent
  readonly activity: ActivityStore
  /** Told of every step of a swap: balances are read again after those that change them. */
  readonly resetBalances: ResetBalances
}

/** Carries the page to its components. */
export const PageContext = createContext<Page | undefined>(undefined)

/** The page around a component. */
export const usePage = (): Page => {
  const page = useContext(PageContext)
  if (page === undefined) throw new Error("There is no page around this.")
  return page
}
