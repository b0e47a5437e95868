/** The steps of a swap as a timeline. */
import type { PaymentMethod, PaymentPreview, Swap } from "@geoswap/core/promise"
import { explorerLink } from "../config.js"
import { usePage } from "../pageContext.js"
import { formatLeg, partialRefund, type SwapLeg, type SwapSummary } from "../swapSummary.js"
import { Hash } from "../ui/Hash.js"
import { useStore } from "../ui/store.js"
import type { ShownStep } from "./shownSteps.js"
import { text } from "../language/language.js"

interface TimelineProps {
  readonly steps: ReadonlyArray<ShownStep>
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
  const { confirmIn, confirmTwice, maySwitch } = text.progress
  if (payment === undefined || payment.shows === "hash") return confirmIn(wallet)
  return `${(payment.signatures === 2 ? confirmTwice : confirmIn)(wallet)}. ${maySwitch(from.chain)}`
}

const titleOf = ({ name, state }: ShownStep, { from, to }: SwapSummary, refunded: SwapLeg): string => {
  const { ahead, failed, running, steps } = text.progress
  const words = { waiting: ahead, running, done: steps, failed: { ...steps, ...failed } }[state]
  if (name === "refund") return words.refund(formatLeg(refunded), from.chain)
  const title = words[name]
  return typeof title === "string" ? title : title(name === "delivery" ? to.chain : from.chain)
}

/** Describes what happens in a running step. */
const noteOf = (
  { name, state }: ShownStep,
  { method, payment, promptingWallet, summary }: TimelineProps,
  isUp: boolean
): string | undefined => {
  if (name === "quote" && state === "done") return formatLeg(summary.to)
  if (name === "sign" && state === "done") return method && text.progress.signedAs[method]
  if (state !== "running") return undefined
  if (!isUp && name !== "sign" && name !== "delegation") {
    const { continues, reconnecting } = text.progress
    return name === "submit" || name === "quote" ? reconnecting : `${reconnecting}. ${continues}`
  }
  switch (name) {
    case "delegation":
    case "sign":
      return promptingWallet === undefined ? text.progress.verifying : promptOf(promptingWallet, summary, payment)
    case "submit":
      return text.progress.submitting
    case "payment":
      return text.progress.paying
    case "delivery":
      return text.progress.delivering
    case "refund":
      return text.progress.refunding
    case "quote":
      return undefined
  }
}

const chainOf = ({ name }: ShownStep, { from, to }: SwapSummary): number =>
  name === "delivery" ? to.chainId : from.chainId

const hashNameOf = ({ name }: ShownStep): string => {
  const { hash } = text.progress
  return name === "delivery" || name === "refund" ? hash[name] : hash.payment
}

/** Shows each step with its transaction. */
export const Timeline = (props: TimelineProps) => {
  const { config, connection } = usePage()
  const isUp = useStore(connection.isUp)
  const { steps, summary, swap } = props
  const refunded = (swap && partialRefund(summary, swap)) ?? summary.from
  return (
    <ol className="timeline">
      {steps.map((step) => (
        <li key={step.name} data-step={step.name} data-state={step.state}>
          <span className="waypoint" aria-hidden="true" />
          <p className="step">
            {titleOf(step, summary, refunded)}
            <span className="visually-hidden">: {text.progress.states[step.state]}</span>
          </p>
          {step.txHash !== undefined && (
            <Hash
              what={hashNameOf(step)}
              value={step.txHash}
              link={explorerLink(config, chainOf(step, summary), step.txHash)}
            />
          )}
          <p className="note">{noteOf(step, props, isUp)}</p>
        </li>
      ))}
    </ol>
  )
}
