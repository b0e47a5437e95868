/** The dependencies that all of the page's components share. */
import { browserStore } from "@geoswap/react"
import type { QueryClient } from "@tanstack/react-query"
import { createContext, useContext } from "react"
import { createActivityStore } from "./activity/activityStore.js"
import { createBalanceReset } from "./balances.js"
import type { Config } from "./config.js"
import { createConnection } from "./connection.js"
import { createConsent } from "./review/consent.js"
import { type ConnectedWallets, createWallets } from "./wallets/walletStore.js"

/** The services that live as long as the page. */
export type Services = ReturnType<typeof createServices>

/** Creates the services. `onDamaged` is called if part of the store cannot be read. */
export const createServices = (config: Config, queries: QueryClient, onDamaged: () => void) => {
  const resetBalances = createBalanceReset(queries)
  return {
    config,
    /** Whether the service responds. */
    connection: createConnection(),
    consent: createConsent(),
    activity: createActivityStore(({ id, trip, ...entry }) => resetBalances({ ...entry, swapId: id }, trip)),
    /** Called with each step of a swap to refresh the balances that it changed. */
    resetBalances,
    // The page sets no budgets. If storage is unavailable, keeping flows and idempotency keys in one tab's memory is
    // better than not keeping them at all.
    store: browserStore({ fallback: "memory", onDamaged }),
    walletStore: createWallets(config.devnet?.wallets)
  }
}

/** The services, the connected wallets, and what opens the dialog in which wallets are connected. */
interface Page extends Services {
  readonly wallets: ConnectedWallets
  readonly openWallets: () => void
}

export const PageContext = createContext<Page | undefined>(undefined)

/** Returns the shared dependencies. */
export const usePage = (): Page => {
  const page = useContext(PageContext)
  if (page === undefined) throw new Error("This component must be rendered inside PageContext.")
  return page
}
