/** The steps of a swap as a timeline. */
import type { PaymentPreview } from "@geoswap/core/promise"
import type { UseSwapResult } from "@geoswap/react"
import { explorerLink } from "../config.js"
import { usePage } from "../pageContext.js"
import { formatLeg, partialRefund, type SwapLeg, type SwapSummary } from "../swapSummary.js"
import { Hash } from "../ui/Hash.js"
import { useStore } from "../ui/store.js"
import type { ShownStep } from "./shownSteps.js"
import { text } from "../language/language.js"

interface TimelineProps {
  readonly state: UseSwapResult
  readonly steps: ReadonlyArray<ShownStep>
  readonly summary: SwapSummary
  /** The name of the wallet that prompts for signatures. */
  readonly promptingWallet: string | undefined
}

/** Says what the wallet asks for. Before typed data, it may ask to switch networks. */
const promptOf = (wallet: string, { from }: SwapSummary, payment: PaymentPreview | undefined) => {
  const { confirmIn, confirmTwice, maySwitch } = text.progress
  if (payment === undefined || payment.shows === "hash") return confirmIn(wallet)
  return `${(payment.signatures === 2 ? confirmTwice : confirmIn)(wallet)}. ${maySwitch(from.chain)}`
}

const titleOf = ({ name, state }: ShownStep, { from, to }: SwapSummary, refunded: SwapLeg) => {
  const { ahead, failed, running, steps } = text.progress
  const words = { waiting: ahead, running, done: steps, failed: { ...steps, ...failed } }[state]
  if (name === "refund") return words.refund(formatLeg(refunded), from.chain)
  const title = words[name]
  return typeof title === "string" ? title : title(name === "delivery" ? to.chain : from.chain)
}

/** Describes what happens in a running step. */
const noteOf = (
  { name, state: at }: ShownStep,
  { promptingWallet, state: { payment, paymentMethod }, summary }: TimelineProps,
  isUp: boolean
) => {
  const { continues, notes, reconnecting, signedAs, verifying } = text.progress
  if (name === "quote" && at === "done") return formatLeg(summary.to)
  if (name === "sign" && at === "done") return paymentMethod && signedAs[paymentMethod]
  if (at !== "running") return undefined
  if (name === "sign" || name === "delegation") {
    return promptingWallet === undefined ? verifying : promptOf(promptingWallet, summary, payment)
  }
  if (!isUp) return name === "submit" || name === "quote" ? reconnecting : `${reconnecting}. ${continues}`
  return name === "quote" ? undefined : notes[name]
}

/** Shows each step with its transaction. */
export const Timeline = (props: TimelineProps) => {
  const { config, connection } = usePage()
  const isUp = useStore(connection.isUp)
  const { state, steps, summary } = props
  const { from, to } = summary
  const { hash, states } = text.progress
  const refunded = (state.swap && partialRefund(summary, state.swap)) ?? from
  return (
    <ol className="timeline">
      {steps.map((step) => {
        const { name, state: at, txHash } = step
        return (
          <li key={name} data-step={name} data-state={at}>
            <span className="waypoint" aria-hidden="true" />
            <p className="step">
              {titleOf(step, summary, refunded)}
              <span className="visually-hidden">: {states[at]}</span>
            </p>
            {txHash !== undefined && (
              <Hash
                what={name === "delivery" || name === "refund" ? hash[name] : hash.payment}
                value={txHash}
                link={explorerLink(config, (name === "delivery" ? to : from).chainId, txHash)}
              />
            )}
            <p className="note">{noteOf(step, props, isUp)}</p>
          </li>
        )
      })}
    </ol>
  )
}
