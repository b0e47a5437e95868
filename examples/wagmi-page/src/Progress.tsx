/** The progress of a swap, and its outcome. */
import { formatAmount, isSwapError } from "@geoswap/core/promise"
import type { SwapActions, SwapState } from "@geoswap/react"
import { tokenAt } from "./network.ts"

/** How many steps are done. */
const doneOf = ({ swap }: SwapState): number => {
  if (swap === undefined) return 0
  if (swap.status === "settled") return 3
  return swap.originTxHash === undefined ? 1 : 2
}

/** The output of the quote that was signed. A resumed swap has no quote. */
const outputOf = ({ events }: SwapState): bigint | undefined => {
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

const Outcome = ({ swap, text }: { readonly swap: SwapState; readonly text: string }) => {
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
      if (swap.error) return <p role="alert">{messageOf(swap.error)}</p>
      return swap.phase === "cancelled" ? <p role="status">Cancelled.</p> : null
  }
}

interface ProgressProps {
  readonly swap: SwapState & SwapActions
  /** The name of the wallet. */
  readonly wallet: string
}

export const Progress = ({ swap, wallet }: ProgressProps) => {
  const { canCancel, cancel, flowId, payment, phase, request, reset, resumable, resume } = swap
  const from = request && tokenAt(request.originChain, request.inputToken)
  const to = request && tokenAt(request.destinationChain, request.outputToken)
  const output = outputOf(swap)
  const done = doneOf(swap)
  const isRunning = phase === "running"
  const steps = [`Sign in ${wallet}`, `Pay on ${from?.chain}`, `Deliver on ${to?.chain}`]
  const received = to && (output === undefined ? to.symbol : `${formatAmount(output, to)} ${to.symbol}`)
  return (
    <section aria-label="Progress">
      <ol aria-live="polite">
        {steps.map((step, index) => (
          <li
            key={step}
            aria-current={index === done && isRunning ? "step" : undefined}
            data-state={index < done ? "done" : index > done ? "waiting" : isRunning ? "running" : "stopped"}
          >
            {step}
          </li>
        ))}
      </ol>
      {isRunning && flowId === undefined && payment && payment.shows !== "terms" && to && (
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
        <button type="button" className="main" onClick={() => resume(resumable)}>
          Resume
        </button>
      )}
      {!isRunning && (
        <button type="button" className={resumable === undefined ? "main" : "second"} onClick={() => reset()}>
          New swap
        </button>
      )}
    </section>
  )
}
