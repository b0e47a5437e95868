/** The page: header, banners, the swap panel and the activity list. */
import { GeoswapProvider } from "@geoswap/react"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { createPageClient } from "./client.js"
import type { Config } from "./config.js"
import { Activity, LatestActivity } from "./activity/Activity.js"
import { createServices, PageContext, usePage } from "./pageContext.js"
import { UnfinishedSwaps } from "./progress/UnfinishedSwaps.js"
import { route, routes, setTitle } from "./route.js"
import { StatusLine } from "./StatusLine.js"
import { SwapPanel } from "./SwapPanel.js"
import { Avatar } from "./ui/Avatar.js"
import { language, text } from "./language/language.js"
import { LanguageSelect } from "./ui/LanguageSelect.js"
import { ThemeButton } from "./ui/ThemeButton.js"
import { online, useStore } from "./ui/store.js"
import { WalletsDialog } from "./wallets/WalletsDialog.js"

const Head = () => {
  const shown = useStore(route)
  const isOnline = useStore(online)
  const { config, openWallets, wallets } = usePage()
  const connected = [wallets.evm, wallets.solana].filter((wallet) => wallet !== undefined)
  return (
    <header>
      {config.devnet !== undefined && <p className="ribbon">{text.page.devnet}</p>}
      <div role="status">{!isOnline && <p className="banner">{text.page.offline}</p>}</div>
      <div className="head">
        <p className="brand">
          <img src="/icon.svg" alt="" width="28" height="28" />
          <span>GeoSwap</span>
        </p>
        <nav>
          {(["swap", "activity"] as const).map((one) => (
            <a key={one} href={routes[one]} aria-current={one === shown ? "page" : undefined}>
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

/** The entire page. */
export const App = ({ config }: { readonly config: Config }) => {
  // Every text is read while the page renders, so the whole page renders again.
  const spoken = useStore(language)
  const shown = useStore(route)
  useEffect(setTitle, [shown, spoken])
  const [damaged, setDamaged] = useState(false)
  const queries = useQueryClient()
  const [services] = useState(() => createServices(config, queries, () => setDamaged(true)))
  const { walletStore } = services
  const { connected: wallets } = useStore(walletStore.state)
  const [connecting, setConnecting] = useState(false)
  const [left, setLeft] = useState<ReadonlyArray<string>>([])
  const client = useMemo(() => createPageClient(services, wallets), [services, wallets])
  const openWallets = () => {
    walletStore.discoverSolana()
    setConnecting(true)
  }
  const page = useMemo(() => ({ ...services, wallets, openWallets }), [services, wallets])
  return (
    <PageContext value={page}>
      <GeoswapProvider client={client}>
        <Head />
        <WalletsDialog open={connecting} onClose={() => setConnecting(false)} />
        {/* Hidden, not removed: a running swap continues. */}
        <main hidden={shown !== "swap"}>
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
          <div className="middle">
            <UnfinishedSwaps left={left} damaged={damaged} />
            <SwapPanel onLeave={(flowId) => setLeft((before) => [...before, flowId])} />
          </div>
          {shown === "swap" && <LatestActivity />}
        </main>
        {shown === "activity" && (
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
