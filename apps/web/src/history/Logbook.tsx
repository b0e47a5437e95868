/** The logbook: swaps that ended in this browser. */
import { type ReactElement, useSyncExternalStore } from "react"
import { explorerLink } from "../config.js"
import { usePage } from "../page.js"
import { placeWords } from "../trip.js"
import { Hash } from "../ui/Hash.js"
import { duration, moment } from "../words/time.js"
import { reasonOf } from "../words/ends.js"
import type { Entry } from "./historyStore.js"

const statuses: Readonly<Record<Entry["status"], string>> = {
  settled: "Delivered",
  refunded: "Refunded",
  failed: "Failed"
}

const Item = ({ entry }: { readonly entry: Entry }): ReactElement => {
  const { config } = usePage()
  const { beganAt, deliveryTxHash, endedAt, failureCode, originTxHash, refundTxHash, status, trip } = entry
  const hashes = [
    { name: `Paid on ${trip.from.chain}`, chainId: trip.from.chainId, value: originTxHash },
    { name: `Delivered on ${trip.to.chain}`, chainId: trip.to.chainId, value: deliveryTxHash },
    { name: `Back on ${trip.from.chain}`, chainId: trip.from.chainId, value: refundTxHash }
  ]
  return (
    <li>
      <details>
        <summary>
          <span className={`status status-${status}`}>{statuses[status]}</span>
          <span className="what">
            {placeWords(trip.from)} → {placeWords(trip.to)}
          </span>
          <time dateTime={new Date(endedAt).toISOString()}>{moment(endedAt)}</time>
        </summary>
        <p>
          {trip.from.chain} → {trip.to.chain}, {duration(endedAt - beganAt)}. {reasonOf(failureCode)}
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
              <Hash what="recipient" value={trip.recipient} />
            </dd>
          </div>
        </dl>
      </details>
    </li>
  )
}

/** All that is remembered, newest first. */
export const Logbook = (): ReactElement => {
  const { history } = usePage()
  const entries = useSyncExternalStore(history.subscribe, history.entries)
  return (
    <section className="history" aria-label="History">
      <header>
        <h2>Logbook</h2>
        {entries.length > 0 && (
          <button type="button" className="link" onClick={history.clear}>
            Clear
          </button>
        )}
      </header>
      {entries.length === 0 ? (
        <p className="fine">Swaps that you finish here are noted in this browser, and nowhere else.</p>
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
