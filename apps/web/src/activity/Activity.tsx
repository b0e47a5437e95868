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

/** The list of finished swaps, newest first. */
export const Activity = (): ReactElement => {
  const { activity } = usePage()
  const entries = useSyncExternalStore(activity.subscribe, activity.entries)
  return (
    <section className="history" aria-label={text().activity.title}>
      <header>
        <h2>{text().activity.title}</h2>
        <ClearActivity entries={entries} />
      </header>
      {entries.length === 0 ? (
        <p className="fine">{text().activity.empty}</p>
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
