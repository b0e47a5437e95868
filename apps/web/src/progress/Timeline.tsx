/** The route with its waypoints; it fills as the swap travels. */
import type { ReactElement } from "react"
import { explorerLink } from "../config.js"
import { usePage } from "../pageContext.js"
import { formatLeg, type SwapSummary } from "../swapSummary.js"
import { Hash } from "../ui/Hash.js"
import type { Step, StepId, StepState } from "./steps.js"

interface TimelineProps {
  readonly steps: ReadonlyArray<Step>
  readonly summary: SwapSummary
  /** The wallet that a person has to look at while something is signed. */
  readonly asks?: string | undefined
}

const spoken: Readonly<Record<StepState, string>> = {
  waiting: "not yet",
  running: "under way",
  done: "done",
  failed: "failed"
}

const titleOf = ({ id, state }: Step, { from, to }: SwapSummary): string => {
  const titles: Readonly<Record<StepId, string>> = {
    quote: "Price agreed",
    delegation: "Delegated",
    sign: "Signed",
    submit: "Submitted",
    origin: state === "failed" ? `Not paid on ${from.chain}` : `Paid on ${from.chain}`,
    delivery: state === "failed" ? `Could not be delivered on ${to.chain}` : `Delivered on ${to.chain}`,
    refund: `${formatLeg(from)} back on ${from.chain}`
  }
  return titles[id]
}

/** What is going on in a step right now. */
const noteOf = ({ id, state }: Step, { to }: SwapSummary, asks: string | undefined): string | undefined => {
  if (id === "quote" && state === "done") return formatLeg(to)
  if (state !== "running") return undefined
  switch (id) {
    case "delegation":
    case "sign":
      return asks === undefined ? "Checked before it is signed" : `Waiting for ${asks}: look at it and confirm there`
    case "submit":
      return "Handing it to the service"
    case "origin":
      return "Waiting for the chain to take the payment"
    case "delivery":
      return "The payment is in; now the other chain"
    case "refund":
      return "Your payment is on its way back"
    case "quote":
      return undefined
  }
}

const chainOf = ({ id }: Step, { from, to }: SwapSummary): number => (id === "delivery" ? to.chainId : from.chainId)

/** The steps of a swap, with their transactions. */
export const Timeline = ({ asks, steps, summary }: TimelineProps): ReactElement => {
  const { config } = usePage()
  return (
    <ol className="timeline">
      {steps.map((step) => (
        <li key={step.id} data-step={step.id} data-state={step.state}>
          <span className="waypoint" aria-hidden="true" />
          <p className="step">
            {titleOf(step, summary)}
            <span className="visually-hidden">: {spoken[step.state]}</span>
          </p>
          {step.hash !== undefined && (
            <Hash
              what={`${step.id} transaction hash`}
              value={step.hash}
              link={explorerLink(config, chainOf(step, summary), step.hash)}
            />
          )}
          <p className="note">{noteOf(step, summary, asks)}</p>
        </li>
      ))}
    </ol>
  )
}
