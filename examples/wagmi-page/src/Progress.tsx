/** The progress of a swap, and its outcome. */
import { formatAmount, isSwapError } from "@geoswap/core/promise"
import type { UseSwapResult } from "@geoswap/react"
import { tokenAt } from "./network.ts"

/** How many steps are done. */
const doneOf = ({ swap }: UseSwapResult): number => {
  if (swap === undefined) return 0
  if (swap.status === "settled") return 3
  return swap.originTxHash === undefined ? 1 : 2
}

/** The output of the quote that was signed. A resumed swap has no quote. */
const outputOf = ({ events }: UseSwapResult): bigint | undefined => {
  for (const { event } of events.toReversed()) {
    if (event.type === "quoted" || event.type === "requoted") return event.quote.output
  }
  return undefined
}

/** The messages of the client's errors are made to be shown. */
const messageOf = (error: Error): string =>
  isSwapError(error) && error._tag === "SignerError" && error.reason === "rejected"
    ? "You declined to sign. Nothing was paid."
    : error.message

const Outcome = ({ swap, text }: { readonly swap: UseSwapResult; readonly text: string }) => {
  switch (swap.swap?.status) {
    case "settled":
      return (
        <div className="outcome" role="status">
          <strong>Delivered</strong>
          <p>{text}</p>
        </div>
      )
    case "refunded":
      return <p role="alert">The swap could not be delivered. Your payment was refunded.</p>
    case "failed":
      return <p role="alert">The swap failed. Nothing was paid.</p>
    default:
      if (swap.isCancelled) return <p role="status">Cancelled.</p>
      return swap.error && <p role="alert">{messageOf(swap.error)}</p>
  }
}

interface ProgressProps {
  readonly swap: UseSwapResult
  /** The name of the wallet. */
  readonly wallet: string
}

export const Progress = ({ swap, wallet }: ProgressProps) => {
  const { canCancel, cancel, flowId, isPending, mutate, payment, request, reset, resumable } = swap
  const from = request && tokenAt(request.originChain, request.inputToken)
  const to = request && tokenAt(request.destinationChain, request.outputToken)
  const output = outputOf(swap)
  const done = doneOf(swap)
  const steps = [`Sign in ${wallet}`, `Pay on ${from?.chain}`, `Deliver on ${to?.chain}`]
  const received = to && (output === undefined ? to.symbol : `${formatAmount(output, to)} ${to.symbol}`)
  return (
    <section aria-label="Progress">
      <ol aria-live="polite">
        {steps.map((step, index) => (
          <li
            key={step}
            aria-current={index === done && isPending ? "step" : undefined}
            data-state={index < done ? "done" : index > done ? "waiting" : isPending ? "running" : "stopped"}
          >
            {step}
          </li>
        ))}
      </ol>
      {isPending && flowId === undefined && payment && payment.shows !== "terms" && to && (
        <p role="status">
          {wallet} cannot show what you receive: at least {formatAmount(payment.terms.minOutput, to)} {to.symbol}, sent
          to {payment.terms.recipient}. This page has verified it.
        </p>
      )}
      <Outcome swap={swap} text={`${received} on ${to?.chain}`} />
      {canCancel && (
        <button type="button" className="second" onClick={cancel}>
          Cancel
        </button>
      )}
      {resumable !== undefined && (
        <button type="button" className="main" onClick={() => mutate({ flowId: resumable })}>
          Resume
        </button>
      )}
      {!isPending && (
        <button type="button" className={resumable === undefined ? "main" : "second"} onClick={reset}>
          New swap
        </button>
      )}
    </section>
  )
}
