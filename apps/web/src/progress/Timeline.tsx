/** The steps of a swap as a timeline. */
import type { PaymentMethod, PaymentPreview } from "@geoswap/core/promise"
import { type ReactElement, useSyncExternalStore } from "react"
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
  /** EVM only: how the wallet pays. */
  readonly method?: PaymentMethod | undefined
  /** EVM only: what the wallet is asked to sign. */
  readonly payment?: PaymentPreview | undefined
}

const signedAs: Readonly<Record<PaymentMethod, string>> = {
  delegation: "An operation of your delegated wallet",
  eip3009: "A payment authorization (EIP-3009)",
  permit2: "A payment through Permit2",
  erc2612: "A permit and a payment through Permit2"
}

/** Says what the wallet asks for. Before typed data, it may ask to switch networks. */
const promptOf = (wallet: string, { from }: SwapSummary, payment: PaymentPreview | undefined): string => {
  if (payment === undefined || payment.shows === "hash") return `Confirm in ${wallet}`
  const confirm =
    payment.signatures === 2 ? `Confirm twice in ${wallet}: the permit, then the payment` : `Confirm in ${wallet}`
  return `${confirm}. It may first ask to switch to ${from.chain}.`
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
const noteOf = (
  { id, state }: Step,
  { method, payment, promptingWallet, summary }: TimelineProps,
  isUp: boolean
): string | undefined => {
  if (id === "quote" && state === "done") return formatLeg(summary.to)
  if (id === "sign" && state === "done") return method && signedAs[method]
  if (state !== "running") return undefined
  if (!isUp && id !== "sign" && id !== "delegation") {
    return id === "submit" || id === "quote"
      ? "The service cannot be reached. Reconnecting"
      : "The service cannot be reached. Reconnecting. The swap continues without this page"
  }
  switch (id) {
    case "delegation":
    case "sign":
      return promptingWallet === undefined
        ? "Verifying the swap before signing"
        : promptOf(promptingWallet, summary, payment)
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
export const Timeline = (props: TimelineProps): ReactElement => {
  const { config, connection } = usePage()
  const isUp = useSyncExternalStore(connection.subscribe, connection.isUp)
  const { steps, summary } = props
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
          <p className="note">{noteOf(step, props, isUp)}</p>
        </li>
      ))}
    </ol>
  )
}
