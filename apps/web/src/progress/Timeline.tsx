/** The steps of a swap as a timeline. */
import type { PaymentMethod, PaymentPreview, Swap } from "@geoswap/core/promise"
import { type ReactElement, useSyncExternalStore } from "react"
import { explorerLink } from "../config.js"
import { usePage } from "../pageContext.js"
import { formatLeg, partialRefund, type SwapSummary } from "../swapSummary.js"
import { Hash } from "../ui/Hash.js"
import type { Step, StepId } from "./steps.js"
import { text } from "../language/language.js"

interface TimelineProps {
  readonly steps: ReadonlyArray<Step>
  readonly summary: SwapSummary
  /** The swap, once the service has accepted it. */
  readonly swap?: Swap | undefined
  /** The name of the wallet that prompts for signatures. */
  readonly promptingWallet?: string | undefined
  /** EVM only: how the wallet pays. */
  readonly method?: PaymentMethod | undefined
  /** EVM only: what the wallet is asked to sign. */
  readonly payment?: PaymentPreview | undefined
}

/** Says what the wallet asks for. Before typed data, it may ask to switch networks. */
const promptOf = (wallet: string, { from }: SwapSummary, payment: PaymentPreview | undefined): string => {
  const { confirmIn, confirmTwice, maySwitch } = text().progress
  if (payment === undefined || payment.shows === "hash") return confirmIn(wallet)
  return `${(payment.signatures === 2 ? confirmTwice : confirmIn)(wallet)}. ${maySwitch(from.chain)}`
}

const titleOf = ({ id, state }: Step, summary: SwapSummary, swap: Swap | undefined): string => {
  const { from, to } = summary
  const { ahead, running, steps } = text().progress
  if (state === "running" || state === "waiting") {
    const words = state === "running" ? running : ahead
    const undone: Readonly<Record<StepId, string>> = {
      quote: words.quote,
      delegation: words.delegation,
      sign: words.sign,
      submit: words.submit,
      origin: words.origin(from.chain),
      delivery: words.delivery(to.chain),
      refund: words.refund(formatLeg(from), from.chain)
    }
    return undone[id]
  }
  const titles: Readonly<Record<StepId, string>> = {
    quote: steps.quote,
    delegation: steps.delegation,
    sign: steps.sign,
    submit: steps.submit,
    origin: (state === "failed" ? steps.paymentFailed : steps.paid)(from.chain),
    delivery: (state === "failed" ? steps.deliveryFailed : steps.delivered)(to.chain),
    refund: steps.refunded(formatLeg((swap && partialRefund(summary, swap)) ?? from), from.chain)
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
  if (id === "sign" && state === "done") return method && text().progress.signedAs[method]
  if (state !== "running") return undefined
  if (!isUp && id !== "sign" && id !== "delegation") {
    const { continues, reconnecting } = text().progress
    return id === "submit" || id === "quote" ? reconnecting : `${reconnecting}. ${continues}`
  }
  switch (id) {
    case "delegation":
    case "sign":
      return promptingWallet === undefined ? text().progress.verifying : promptOf(promptingWallet, summary, payment)
    case "submit":
      return text().progress.submitting
    case "origin":
      return text().progress.paying
    case "delivery":
      return text().progress.delivering
    case "refund":
      return text().progress.refunding
    case "quote":
      return undefined
  }
}

const chainOf = ({ id }: Step, { from, to }: SwapSummary): number => (id === "delivery" ? to.chainId : from.chainId)

const hashNameOf = ({ id }: Step): string => {
  const { hash } = text().progress
  return id === "delivery" || id === "refund" ? hash[id] : hash.origin
}

/** Shows each step with its transaction. */
export const Timeline = (props: TimelineProps): ReactElement => {
  const { config, connection } = usePage()
  const isUp = useSyncExternalStore(connection.subscribe, connection.isUp)
  const { steps, summary, swap } = props
  return (
    <ol className="timeline">
      {steps.map((step) => (
        <li key={step.id} data-step={step.id} data-state={step.state}>
          <span className="waypoint" aria-hidden="true" />
          <p className="step">
            {titleOf(step, summary, swap)}
            <span className="visually-hidden">: {text().progress.states[step.state]}</span>
          </p>
          {step.hash !== undefined && (
            <Hash
              what={hashNameOf(step)}
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
