/** A finished swap. */
import { explorerLink } from "../config.js"
import { formatExactDecimal } from "../format/amounts.js"
import { failureReason } from "../format/failureReason.js"
import { formatDateTime, formatDuration } from "../format/time.js"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import { formatLeg, type SwapLeg } from "../swapSummary.js"
import { Hash } from "../ui/Hash.js"
import { Icon } from "../ui/Icon.js"
import type { Entry } from "./activityStore.js"

/** Formats an amount with all its digits. Amounts of unknown tokens stay as they are. */
const exactly = ({ amount, symbol }: SwapLeg): string =>
  `${/^\d+(\.\d+)?$/.test(amount) ? formatExactDecimal(amount) : amount}\u00a0${symbol}`

/** The summary of a swap. Its details are shown on demand. */
export const ActivityItem = ({ entry }: { readonly entry: Entry }) => {
  const { config } = usePage()
  const { beganAt, deliveryTxHash, endedAt, failureCode, originTxHash, refundTxHash, status, trip, wallet } = entry
  const { from, recipient, to } = trip
  const { activity: words } = text
  const amounts = [
    { name: words.amountPaid, value: status === "failed" ? undefined : exactly(from) },
    { name: words.amountDelivered, value: status === "settled" ? exactly(to) : undefined },
    {
      name: words.amountRefunded,
      value: status === "refunded" ? exactly({ ...from, amount: entry.refunded ?? from.amount }) : undefined
    }
  ]
  const hashes = [
    { name: words.paid(from.chain), what: words.transactionHash, chainId: from.chainId, value: originTxHash },
    { name: words.delivered(to.chain), what: words.transactionHash, chainId: to.chainId, value: deliveryTxHash },
    { name: words.refunded(from.chain), what: words.transactionHash, chainId: from.chainId, value: refundTxHash },
    { name: words.wallet, what: words.walletAddress, value: wallet },
    { name: words.recipient, what: words.recipientAddress, value: recipient },
    { name: words.swap, what: words.swapId, value: entry.id }
  ]
  return (
    <li>
      <details>
        <summary>
          <span className={`status status-${status}`}>{words.statuses[status]}</span>
          <span className="what">
            {formatLeg(from)} → {formatLeg(to)}
          </span>
          <span className="when">
            {from.chain} → {to.chain}, <time dateTime={new Date(endedAt).toISOString()}>{formatDateTime(endedAt)}</time>
          </span>
          <Icon name="down" />
        </summary>
        <p>
          {words.took(formatDuration(endedAt - beganAt))} {failureReason(failureCode)}
        </p>
        <dl className="hashes">
          {amounts.map(
            ({ name, value }) =>
              value !== undefined && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd className="number">{value}</dd>
                </div>
              )
          )}
          {hashes.map(
            ({ chainId, name, value, what }) =>
              value !== undefined && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <Hash
                      what={what}
                      value={value}
                      link={chainId === undefined ? undefined : explorerLink(config, chainId, value)}
                    />
                  </dd>
                </div>
              )
          )}
        </dl>
      </details>
    </li>
  )
}
