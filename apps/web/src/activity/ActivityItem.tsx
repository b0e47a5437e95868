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
const exactly = ({ amount, symbol }: SwapLeg) =>
  `${/^\d+(\.\d+)?$/.test(amount) ? formatExactDecimal(amount) : amount}\u00a0${symbol}`

/** The summary of a swap. Its details are shown on demand. */
export const ActivityItem = ({ entry }: { readonly entry: Entry }) => {
  const { config } = usePage()
  const { beganAt, endedAt, status, trip } = entry
  const { from, recipient, to } = trip
  const {
    activity: words,
    progress: { ahead }
  } = text
  const hash = (what: string, value: string | undefined, chainId?: number) =>
    value !== undefined && (
      <Hash what={what} value={value} link={chainId === undefined ? undefined : explorerLink(config, chainId, value)} />
    )
  const rows = [
    [words.amountPaid, status !== "failed" && exactly(from)],
    [words.amountDelivered, status === "settled" && exactly(to)],
    [words.amountRefunded, status === "refunded" && exactly({ ...from, amount: entry.refunded ?? from.amount })],
    [ahead.payment(from.chain), hash(words.transactionHash, entry.originTxHash, from.chainId)],
    [ahead.delivery(to.chain), hash(words.transactionHash, entry.deliveryTxHash, to.chainId)],
    [words.refunded(from.chain), hash(words.transactionHash, entry.refundTxHash, from.chainId)],
    [words.wallet, hash(words.walletAddress, entry.wallet)],
    [text.form.recipient, hash(words.recipientAddress, recipient)],
    [words.swap, hash(words.swapId, entry.id)]
  ] as const
  return (
    <li>
      <details>
        <summary>
          <span className={`status status-${status}`}>{text.unfinished.ends[status]}</span>
          <span className="what">
            {/* Only a settled swap has delivered the output. */}
            {formatLeg(from)} → {status === "settled" ? formatLeg(to) : to.symbol}
          </span>
          <span className="when">
            {from.chain} → {to.chain}, <time dateTime={new Date(endedAt).toISOString()}>{formatDateTime(endedAt)}</time>
          </span>
          <Icon name="down" />
        </summary>
        <p>
          {words.took(formatDuration(endedAt - beganAt))} {failureReason(entry.failureCode)}
        </p>
        <dl className="hashes">
          {rows.map(
            ([name, value]) =>
              value !== false && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd className={typeof value === "string" ? "number" : undefined}>{value}</dd>
                </div>
              )
          )}
        </dl>
      </details>
    </li>
  )
}
