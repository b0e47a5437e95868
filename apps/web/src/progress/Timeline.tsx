/** The steps of a swap as a timeline. */
import type { ReactElement } from "react"
import { explorerLink } from "../config.js"
import { usePage } from "../pageContext.js"
import { formatLeg, type SwapSummary } from "../swapSummary.js"
import { Hash } from "../ui/Hash.js"
import type { Step, StepId, StepState } from "./steps.js"

interface TimelineProps {
  readonly steps: ReadonlyArray<Step>
  readonly summary: SwapSummary
  /** The name of the wallet that prompts for signatures. */
  readonly promptingWallet?: string | undefined
}

const stateLabels: Readonly<Record<StepState, string>> = {
  waiting: "not started",
  running: "in progress",
  done: "done",
  failed: "failed"
}

const titleOf = ({ id, state }: Step, { from, to }: SwapSummary): string => {
  const titles: Readonly<Record<StepId, string>> = {
    quote: "Price agreed",
    delegation: "Delegated",
    sign: "Signed",
    submit: "Submitted",
    origin: state === "failed" ? `Payment failed on ${from.chain}` : `Paid on ${from.chain}`,
    delivery: state === "failed" ? `Delivery failed on ${to.chain}` : `Delivered on ${to.chain}`,
    refund: `${formatLeg(from)} refunded on ${from.chain}`
  }
  return titles[id]
}

/** Describes what happens in a running step. */
const noteOf = ({ id, state }: Step, { to }: SwapSummary, promptingWallet: string | undefined): string | undefined => {
  if (id === "quote" && state === "done") return formatLeg(to)
  if (state !== "running") return undefined
  switch (id) {
    case "delegation":
    case "sign":
      return promptingWallet === undefined ? "Verifying the swap before signing" : `Confirm in ${promptingWallet}`
    case "submit":
      return "Submitting to the service"
    case "origin":
      return "Waiting for the payment to confirm"
    case "delivery":
      return "Payment received, delivering"
    case "refund":
      return "Refunding your payment"
    case "quote":
      return undefined
  }
}

const chainOf = ({ id }: Step, { from, to }: SwapSummary): number => (id === "delivery" ? to.chainId : from.chainId)

/** Shows each step with its transaction. */
export const Timeline = ({ promptingWallet, steps, summary }: TimelineProps): ReactElement => {
  const { config } = usePage()
  return (
    <ol className="timeline">
      {steps.map((step) => (
        <li key={step.id} data-step={step.id} data-state={step.state}>
          <span className="waypoint" aria-hidden="true" />
          <p className="step">
            {titleOf(step, summary)}
            <span className="visually-hidden">: {stateLabels[step.state]}</span>
          </p>
          {step.hash !== undefined && (
            <Hash
              what={`${step.id} transaction hash`}
              value={step.hash}
              link={explorerLink(config, chainOf(step, summary), step.hash)}
            />
          )}
          <p className="note">{noteOf(step, summary, promptingWallet)}</p>
        </li>
      ))}
    </ol>
  )
}
