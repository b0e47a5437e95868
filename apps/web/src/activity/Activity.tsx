/** The swaps that finished in this browser: the latest ones beside the form, and all of them on a separate page. */
import { useEffect, useRef, useState } from "react"
import { formatInteger } from "../format/amounts.js"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import { routes } from "../route.js"
import { useStore } from "../ui/store.js"
import { ActivityItem } from "./ActivityItem.js"
import type { Entry } from "./activityStore.js"
import { ClearActivity } from "./ClearActivity.js"

type Filter = "all" | Entry["status"]

const filters: ReadonlyArray<Filter> = ["all", "settled", "refunded", "failed"]

/** How many swaps are listed beside the form. */
const latest = 3

/** Whether one of these wallets paid. */
const isOf = ({ wallet }: Entry, addresses: ReadonlyArray<string>) =>
  addresses.some((address) => address.toLowerCase() === wallet.toLowerCase())

/** Returns all stored swaps, newest first, and those of the connected wallets. Without a wallet, these are all swaps. */
const useEntries = () => {
  const { activity, wallets } = usePage()
  const stored = useStore(activity.entries)
  const addresses = [wallets.evm?.address, wallets.solana?.address].filter((address) => address !== undefined)
  return { stored, own: addresses.length === 0 ? stored : stored.filter((entry) => isOf(entry, addresses)) }
}

const List = ({ entries }: { readonly entries: ReadonlyArray<Entry> }) => (
  <ol>
    {entries.map((entry) => (
      <ActivityItem key={entry.id} entry={entry} />
    ))}
  </ol>
)

/** The latest swaps of the connected wallets, and a link to all swaps. */
export const LatestActivity = () => {
  const { own, stored } = useEntries()
  const { activity: words } = text
  return (
    <section className="history" aria-label={words.title}>
      <header>
        <h2>{words.title}</h2>
        {stored.length > 0 && (
          <a className="link" href={routes.activity}>
            {words.showAll(formatInteger(stored.length))}
          </a>
        )}
      </header>
      <p className="fine">{stored.length === 0 ? words.empty : words.claims}</p>
      {stored.length > 0 && <List entries={own.slice(0, latest)} />}
    </section>
  )
}

const chainsOf = ({ trip: { from, to } }: Entry) => [from.chain, to.chain]

/** All swaps: those of the connected wallets, unless the user asks for the others, too. */
export const Activity = () => {
  const { own, stored } = useEntries()
  const [filter, setFilter] = useState<Filter>("all")
  const [chain, setChain] = useState("")
  const [everyone, setEveryone] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { activity: words } = text
  const entries = everyone ? stored : own
  const chains = [...new Set(entries.flatMap(chainsOf))].toSorted((one, other) => one.localeCompare(other))
  // The chain may no longer be offered, after the wallet changed.
  const on = chains.includes(chain) ? chain : ""
  const shown = entries.filter(
    (entry) => (filter === "all" || entry.status === filter) && (on === "" || chainsOf(entry).includes(on))
  )
  return (
    <section className="history history-page" aria-label={words.title}>
      <header>
        <h1 ref={heading} tabIndex={-1}>
          {words.title}
        </h1>
        <ClearActivity entries={stored} />
      </header>
      {stored.length > 0 && (
        <div className="filters">
          <div className="chips" role="group" aria-label={words.filter}>
            {filters.map((one) => (
              <button key={one} type="button" aria-pressed={one === filter} onClick={() => setFilter(one)}>
                {one === "all" ? words.all : text.unfinished.ends[one]}
              </button>
            ))}
          </div>
          <select aria-label={words.chain} value={on} onChange={(event) => setChain(event.target.value)}>
            <option value="">{text.picker.allChains}</option>
            {chains.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      )}
      {own.length < stored.length && (
        <label className="fine everyone">
          <input type="checkbox" checked={everyone} onChange={(event) => setEveryone(event.target.checked)} />
          {words.otherWallets(formatInteger(stored.length - own.length))}
        </label>
      )}
      {stored.length === 0 ? (
        <p className="fine">{words.empty}</p>
      ) : shown.length === 0 ? (
        <p className="fine">{words.noMatch}</p>
      ) : (
        <>
          <p className="fine">{words.claims}</p>
          <List entries={shown} />
        </>
      )}
    </section>
  )
}
