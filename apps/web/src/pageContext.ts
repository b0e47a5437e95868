/** The dependencies that all of the page's components share. */
import { createContext, useContext } from "react"
import type { ResetBalances } from "./balances.js"
import type { Config } from "./config.js"
import type { ActivityStore } from "./activity/activityStore.js"
import type { Connection } from "./connection.js"
import type { Consent } from "./review/consent.js"
import type { ConnectedWallets, WalletStore } from "./wallets/walletStore.js"

/** The shared services and the connected wallets. */
export interface Page {
  readonly config: Config
  readonly store: WalletStore
  readonly wallets: ConnectedWallets
  /** Whether the service responds. */
  readonly connection: Connection
  readonly consent: Consent
  readonly activity: ActivityStore
  /** Opens the dialog in which wallets are connected. */
  readonly openWallets: () => void
  /** Called with each step of a swap to refresh the balances that it changed. */
  readonly resetBalances: ResetBalances
}

export const PageContext = createContext<Page | undefined>(undefined)

/** Returns the shared dependencies. */
export const usePage = (): Page => {
  const page = useContext(PageContext)
  if (page === undefined) throw new Error("This component must be rendered inside PageContext.")
  return page
}
