/** The page: header, banners, the swap panel and the activity list. */
import { browserStore, GeoswapProvider } from "@geoswap/react"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { createBalanceReset } from "./balances.js"
import { createPageClient } from "./client.js"
import type { Config } from "./config.js"
import { createConnection } from "./connection.js"
import { createActivityStore } from "./activity/activityStore.js"
import { Activity, LatestActivity } from "./activity/Activity.js"
import { type Page, PageContext, usePage } from "./pageContext.js"
import { UnfinishedSwaps } from "./progress/UnfinishedSwaps.js"
import { createConsent } from "./review/consent.js"
import { type Route, routes, setTitle, useRoute } from "./route.js"
import { StatusLine } from "./StatusLine.js"
import { SwapPanel } from "./SwapPanel.js"
import { Avatar } from "./ui/Avatar.js"
import { language, text } from "./language/language.js"
import { LanguageSelect } from "./ui/LanguageSelect.js"
import { ThemeButton } from "./ui/ThemeButton.js"
import { useStore } from "./ui/store.js"
import { useOnline } from "./ui/useOnline.js"
import { WalletsDialog } from "./wallets/WalletsDialog.js"
import { createWallets } from "./wallets/walletStore.js"

const Banners = () => {
  const { config } = usePage()
  const online = useOnline()
  return (
    <>
      {config.devnet !== undefined && <p className="ribbon">{text.page.devnet}</p>}
      <div role="status">{!online && <p className="banner">{text.page.offline}</p>}</div>
    </>
  )
}

const Head = ({ route }: { readonly route: Route }) => {
  const { openWallets, wallets } = usePage()
  const connected = [wallets.evm, wallets.solana].filter((wallet) => wallet !== undefined)
  return (
    <header>
      <Banners />
      <div className="head">
        <p className="brand">
          <img src="/icon.svg" alt="" width="28" height="28" />
          <span>GeoSwap</span>
        </p>
        <nav>
          {(["swap", "activity"] as const).map((one) => (
            <a key={one} href={routes[one]} aria-current={one === route ? "page" : undefined}>
              {one === "swap" ? text.form.title : text.activity.title}
            </a>
          ))}
        </nav>
        <ThemeButton />
        <button type="button" className="wallets" onClick={openWallets}>
          <span className="marks">
            {connected.map(({ address, icon, name }) => (
              <Avatar key={address} name={name} icon={icon} />
            ))}
          </span>
          <span>{text.wallets.title}</span>
        </button>
      </div>
    </header>
  )
}

const Lead = () => (
  <div className="lead">
    <p>{text.page.lead}</p>
    <ul>
      {text.page.reasons.map(([title, reason]) => (
        <li key={title}>
          <strong>{title}</strong> {reason}
        </li>
      ))}
    </ul>
  </div>
)

/** The entire page. */
export const App = ({ config }: { readonly config: Config }) => {
  // Every text is read while the page renders, so the whole page renders again.
  const spoken = useStore(language)
  const route = useRoute()
  useEffect(setTitle, [route, spoken])
  const [damaged, setDamaged] = useState(false)
  const queries = useQueryClient()
  const [services] = useState(() => {
    const resetBalances = createBalanceReset(queries)
    return {
      walletStore: createWallets(config.devnet?.wallets),
      consent: createConsent(),
      connection: createConnection(),
      resetBalances,
      activity: createActivityStore(({ id, trip: summary, ...entry }) =>
        resetBalances({ ...entry, swapId: id }, summary)
      ),
      // The page sets no budgets. If storage is unavailable, keeping flows and idempotency keys in one tab's memory is
      // better than not keeping them at all.
      store: browserStore({ fallback: "memory", onDamaged: () => setDamaged(true) })
    }
  })
  const { connection, consent, activity, resetBalances, store, walletStore } = services
  const { connected: wallets } = useStore(walletStore.state)
  const [connecting, setConnecting] = useState(false)
  const [left, setLeft] = useState<ReadonlyArray<string>>([])
  const client = useMemo(
    () => createPageClient({ config, connection, wallets, store, onHighCost: consent.onHighCost }),
    [config, connection, wallets, store, consent]
  )
  const page = useMemo<Page>(
    () => ({
      config,
      store: walletStore,
      wallets,
      connection,
      consent,
      activity,
      resetBalances,
      openWallets: () => {
        walletStore.discoverSolana()
        setConnecting(true)
      }
    }),
    [config, walletStore, wallets, connection, consent, activity, resetBalances]
  )
  return (
    <PageContext value={page}>
      <GeoswapProvider client={client}>
        <Head route={route} />
        <WalletsDialog open={connecting} onClose={() => setConnecting(false)} />
        {/* Hidden, not removed: a running swap continues. */}
        <main hidden={route !== "swap"}>
          <Lead />
          <div className="middle">
            <UnfinishedSwaps left={left} damaged={damaged} />
            <SwapPanel onLeave={(flowId) => setLeft((before) => [...before, flowId])} />
          </div>
          {route === "swap" && <LatestActivity />}
        </main>
        {route === "activity" && (
          <main className="single">
            <Activity />
          </main>
        )}
        <footer className="foot">
          <p>{config.devnet === undefined ? text.page.foot : text.page.footDevnet}</p>
          <StatusLine />
          <LanguageSelect />
        </footer>
      </GeoswapProvider>
    </PageContext>
  )
}
