/** The swaps that finished in this browser. */
import { type ReactElement, useSyncExternalStore } from "react"
import { explorerLink } from "../config.js"
import { usePage } from "../pageContext.js"
import { formatLeg } from "../swapSummary.js"
import { Hash } from "../ui/Hash.js"
import { formatDuration, formatDateTime } from "../format/time.js"
import { failureReason } from "../format/failureReason.js"
import { ClearActivity } from "./ClearActivity.js"
import type { Entry } from "./activityStore.js"

const statuses: Readonly<Record<Entry["status"], string>> = {
  settled: "Delivered",
  refunded: "Refunded",
  failed: "Failed"
}

const Item = ({ entry }: { readonly entry: Entry }): ReactElement => {
  const { config } = usePage()
  const { beganAt, deliveryTxHash, endedAt, failureCode, originTxHash, refundTxHash, status, trip: summary } = entry
  const hashes = [
    { name: `Paid on ${summary.from.chain}`, chainId: summary.from.chainId, value: originTxHash },
    { name: `Delivered on ${summary.to.chain}`, chainId: summary.to.chainId, value: deliveryTxHash },
    { name: `Refunded on ${summary.from.chain}`, chainId: summary.from.chainId, value: refundTxHash }
  ]
  return (
    <li>
      <details>
        <summary>
          <span className={`status status-${status}`}>{statuses[status]}</span>
          <span className="what">
            {formatLeg(summary.from)} → {formatLeg(summary.to)}
          </span>
          <span className="when">
            {summary.from.chain} → {summary.to.chain},{" "}
            <time dateTime={new Date(endedAt).toISOString()}>{formatDateTime(endedAt)}</time>
          </span>
        </summary>
        <p>
          Took {formatDuration(endedAt - beganAt)}. {failureReason(failureCode)}
        </p>
        <dl className="hashes">
          {hashes.map(
            ({ chainId, name, value }) =>
              value !== undefined && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <Hash what="transaction hash" value={value} link={explorerLink(config, chainId, value)} />
                  </dd>
                </div>
              )
          )}
          <div>
            <dt>Recipient</dt>
            <dd>
              <Hash what="recipient" value={summary.recipient} />
            </dd>
          </div>
        </dl>
      </details>
    </li>
  )
}

/** The list of finished swaps, newest first. */
export const Activity = (): ReactElement => {
  const { activity } = usePage()
  const entries = useSyncExternalStore(activity.subscribe, activity.entries)
  return (
    <section className="history" aria-label="Activity">
      <header>
        <h2>Activity</h2>
        <ClearActivity entries={entries} />
      </header>
      {entries.length === 0 ? (
        <p className="fine">Your finished swaps appear here. They are stored only in this browser.</p>
      ) : (
        <ol>
          {entries.map((entry) => (
            <Item key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  )
}
