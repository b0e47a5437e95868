/** The page: its head, its banners, the swap in the middle and the logbook beside it. */
import { browserJournal, browserLedger, GeoswapProvider } from "@geoswap/react"
import { useQueryClient } from "@tanstack/react-query"
import { type ReactElement, useMemo, useState, useSyncExternalStore } from "react"
import { createBalanceReset } from "./balances.js"
import { createPageClient } from "./client.js"
import type { Config } from "./config.js"
import { createActivityStore } from "./activity/activityStore.js"
import { Activity } from "./activity/Activity.js"
import { type Page, PageContext, usePage } from "./pageContext.js"
import { UnfinishedSwaps } from "./progress/UnfinishedSwaps.js"
import { createConsent } from "./review/consent.js"
import { SwapPanel } from "./SwapPanel.js"
import { Avatar } from "./ui/Avatar.js"
import { ThemeButton } from "./ui/ThemeButton.js"
import { useOnline } from "./ui/useOnline.js"
import { WalletsDialog } from "./wallets/WalletsDialog.js"
import { createWallets } from "./wallets/walletStore.js"

const Banners = (): ReactElement => {
  const { config } = usePage()
  const online = useOnline()
  return (
    <>
      {config.devnet !== undefined && <p className="ribbon">Devnet: play money</p>}
      <div role="status">
        {!online && <p className="banner">You are offline. Everything goes on by itself once you are back.</p>}
      </div>
    </>
  )
}

const Head = (): ReactElement => {
  const { store, wallets } = usePage()
  const [open, setOpen] = useState(false)
  const connected = [wallets.evm, wallets.solana].filter((wallet) => wallet !== undefined)
  return (
    <>
      <header>
        <Banners />
        <div className="head">
          <p className="brand">
            <img src="/icon.svg" alt="" width="28" height="28" />
            GeoSwap
          </p>
          <ThemeButton />
          <button
            type="button"
            className="wallets"
            onClick={() => {
              store.discoverSolana()
              setOpen(true)
            }}
          >
            <span className="marks">
              {connected.map(({ address, icon, name }) => (
                <Avatar key={address} name={name} icon={icon} />
              ))}
            </span>
            Wallets
          </button>
        </div>
      </header>
      <WalletsDialog open={open} onClose={() => setOpen(false)} />
    </>
  )
}

const Lead = (): ReactElement => (
  <div className="lead">
    <p>From one chain to another, without gas.</p>
    <ul>
      <li>
        <strong>Paid out of the swap.</strong> The network's cost comes off what you receive.
      </li>
      <li>
        <strong>Checked before it is signed.</strong> Your browser compares every byte with what you agreed to.
      </li>
      <li>
        <strong>Delivered or returned.</strong> What cannot arrive comes back in full.
      </li>
    </ul>
  </div>
)

/** The whole page for a configuration. */
export const App = ({ config }: { readonly config: Config }): ReactElement => {
  const [damaged, setDamaged] = useState(false)
  const queries = useQueryClient()
  const [parts] = useState(() => {
    const resetBalances = createBalanceReset(queries)
    return {
      store: createWallets(config.devnet?.wallets),
      consent: createConsent(),
      resetBalances,
      activity: createActivityStore(({ id, trip: summary, ...entry }) =>
        resetBalances({ ...entry, swapId: id }, summary)
      ),
      journal: browserJournal({ fallback: "memory", onDamaged: () => setDamaged(true) }),
      // The page sets no budgets: keys that one tab remembers are better than none.
      ledger: browserLedger({ fallback: "memory" })
    }
  })
  const { consent, activity, journal, ledger, resetBalances, store } = parts
  const { slots: wallets } = useSyncExternalStore(store.subscribe, store.snapshot)
  const [left, setLeft] = useState<ReadonlyArray<string>>([])
  const client = useMemo(
    () => createPageClient({ config, wallets, journal, ledger, onHighImpact: consent.onHighImpact }),
    [config, wallets, journal, ledger, consent]
  )
  const page = useMemo<Page>(
    () => ({ config, store, wallets, consent, activity, resetBalances }),
    [config, store, wallets, consent, activity, resetBalances]
  )
  return (
    <PageContext value={page}>
      <GeoswapProvider client={client}>
        <Head />
        <main>
          <Lead />
          <div className="middle">
            <UnfinishedSwaps left={left} damaged={damaged} />
            <SwapPanel onLeave={(flowId) => setLeft((before) => [...before, flowId])} />
          </div>
          <Activity />
        </main>
        <footer className="foot">
          Your browser checks every swap before it is signed. Keys never leave the wallet.
        </footer>
      </GeoswapProvider>
    </PageContext>
  )
}
