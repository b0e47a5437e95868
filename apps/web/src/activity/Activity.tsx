/** The swaps that finished in this browser. */
import { type ReactElement, useState, useSyncExternalStore } from "react"
import { explorerLink } from "../config.js"
import { formatInteger } from "../format/amounts.js"
import { usePage } from "../pageContext.js"
import { formatLeg } from "../swapSummary.js"
import { Hash } from "../ui/Hash.js"
import { formatDuration, formatDateTime } from "../format/time.js"
import { failureReason } from "../format/failureReason.js"
import { ClearActivity } from "./ClearActivity.js"
import type { Entry } from "./activityStore.js"
import { text } from "../language/language.js"

const Item = ({ entry }: { readonly entry: Entry }): ReactElement => {
  const { config } = usePage()
  const { beganAt, deliveryTxHash, endedAt, failureCode, originTxHash, refundTxHash, status, trip: summary } = entry
  const { activity: activityText } = text()
  const hashes = [
    { name: activityText.paid(summary.from.chain), chainId: summary.from.chainId, value: originTxHash },
    { name: activityText.delivered(summary.to.chain), chainId: summary.to.chainId, value: deliveryTxHash },
    { name: activityText.refunded(summary.from.chain), chainId: summary.from.chainId, value: refundTxHash }
  ]
  return (
    <li>
      <details>
        <summary>
          <span className={`status status-${status}`}>{activityText.statuses[status]}</span>
          <span className="what">
            {formatLeg(summary.from)} → {formatLeg(summary.to)}
          </span>
          <span className="when">
            {summary.from.chain} → {summary.to.chain},{" "}
            <time dateTime={new Date(endedAt).toISOString()}>{formatDateTime(endedAt)}</time>
          </span>
        </summary>
        <p>
          {activityText.took(formatDuration(endedAt - beganAt))} {failureReason(failureCode)}
        </p>
        <dl className="hashes">
          {hashes.map(
            ({ chainId, name, value }) =>
              value !== undefined && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <Hash
                      what={activityText.transactionHash}
                      value={value}
                      link={explorerLink(config, chainId, value)}
                    />
                  </dd>
                </div>
              )
          )}
          <div>
            <dt>{activityText.recipient}</dt>
            <dd>
              <Hash what={activityText.recipientAddress} value={summary.recipient} />
            </dd>
          </div>
        </dl>
      </details>
    </li>
  )
}

type Filter = "all" | Entry["status"]

const filters: ReadonlyArray<Filter> = ["all", "settled", "refunded", "failed"]

/** Whether one of these wallets paid. It is not known for the swaps of earlier versions of the page. */
const isOf = ({ wallet }: Entry, addresses: ReadonlyArray<string>): boolean =>
  wallet === undefined || addresses.some((address) => address.toLowerCase() === wallet.toLowerCase())

/** The list of finished swaps, newest first: those of the connected wallets, unless the user asks for all. */
export const Activity = (): ReactElement => {
  const { activity, wallets } = usePage()
  const stored = useSyncExternalStore(activity.subscribe, activity.entries)
  const [filter, setFilter] = useState<Filter>("all")
  const [everyone, setEveryone] = useState(false)
  const { activity: words } = text()
  const addresses = [wallets.evm?.address, wallets.solana?.address].filter((address) => address !== undefined)
  const own = addresses.length === 0 ? stored : stored.filter((entry) => isOf(entry, addresses))
  const entries = everyone ? stored : own
  const shown = entries.filter(({ status }) => filter === "all" || status === filter)
  return (
    <section className="history" aria-label={words.title}>
      <header>
        <h2>{words.title}</h2>
        <ClearActivity entries={stored} />
      </header>
      {new Set(entries.map(({ status }) => status)).size > 1 && (
        <div className="chips" role="group" aria-label={words.filter}>
          {filters.map((one) => (
            <button key={one} type="button" aria-pressed={one === filter} onClick={() => setFilter(one)}>
              {one === "all" ? words.all : words.statuses[one]}
            </button>
          ))}
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
      ) : (
        <ol>
          {shown.map((entry) => (
            <Item key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  )
}
