/** The review of a swap before anything is signed. */
import { Chain } from "@geoswap/core"
import type { Quote } from "@geoswap/core/promise"
import { paymentOf } from "@geoswap/react/query"
import { useState } from "react"
import { chainOf } from "../config.js"
import { Countdown } from "../form/Countdown.js"
import { DelegationError } from "../form/DelegationError.js"
import { nameOfAddress } from "../form/nameOfAddress.js"
import { QuoteDetails } from "../form/QuoteDetails.js"
import type { PageForm } from "../form/usePageForm.js"
import { changeBps, formatUsd, formatExactAmount, formatPercent } from "../format/amounts.js"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import { AmountText } from "../ui/AmountText.js"
import { Hash } from "../ui/Hash.js"
import { PriceChange } from "./PriceChange.js"
import { isWorse } from "./requoteRule.js"
import { Signatures } from "./Signatures.js"
import { useConsents } from "./useConsents.js"

interface ReviewProps {
  readonly form: PageForm
  /** The quote that was shown when the review was opened. */
  readonly first: Quote
  /** Whether the swap has its idempotency key. The swap cannot start without this key. */
  readonly ready: boolean
  readonly onBack: () => void
  /** Called with the confirmed quote and the accepted loss in basis points, if any. */
  readonly onConfirm: (quote: Quote, lossBps: number | undefined) => void
}

const noteOf = (first: Quote, now: Quote | undefined) => {
  const { review: words } = text
  if (now === undefined) return words.refreshing
  if (now.geoQuoteToken === first.geoQuoteToken) return ""
  const change = changeBps(first.output, now.output)
  if (Math.abs(change) < 0.5) return words.unchanged
  return (change > 0 ? words.better : words.worse)(formatPercent(Math.abs(change)))
}

/** The review dialog. It refreshes the price continually. */
export const Review = ({ first, form, onBack, onConfirm, ready }: ReviewProps) => {
  const { review: words } = text
  const page = usePage()
  const [agreed, setAgreed] = useState(first)
  const [last, setLast] = useState(first)
  const { amount, delegation, destination, inputToken, origin, outputToken, payer, recipient, request, wallet } = form
  const live = form.quote.data
  if (live !== undefined && live !== last) setLast(live)
  const shown = live ?? last
  const { checks, isMissing, lossBps } = useConsents(shown, outputToken, form.values.slippageBps)
  if (!origin || !destination || !inputToken || !outputToken || !wallet || !recipient || amount === undefined) {
    return <p>{words.missing}</p>
  }
  const worse = isWorse(agreed, shown)
  const paying = page.wallets[origin.family]
  const name = paying?.name ?? words.yourWallet
  const receiver = nameOfAddress(page, destination.family, recipient) ?? form.recipientName ?? words.otherAddress
  const deployment = chainOf(page.config, origin.id)?.deployment
  const method = (request && paymentOf(shown, request, payer).method) ?? "delegation"
  const needsDelegation = method === "delegation" && delegation !== undefined && !delegation.delegated
  const target = delegation?.delegationTarget
  return (
    <>
      <div className="review-route">
        <div className="leg leg-from">
          <span className="pin" aria-hidden="true" />
          <p className="big">
            <AmountText amount={amount} token={inputToken} />
          </p>
          <p>
            {words.from(name, origin.name)} {formatUsd(shown.inputUsd)}
          </p>
          <Hash what={words.payingAddress} value={wallet} full />
        </div>
        <div className="leg leg-to">
          <span className="pin" aria-hidden="true" />
          <p className="big">
            <AmountText amount={shown.output} token={outputToken} />
          </p>
          <p>
            {words.to(receiver, destination.name)} {formatUsd(shown.outputUsd)}
          </p>
          <Hash what={words.receivingAddress} value={recipient} full />
        </div>
      </div>
      <div className="price">
        <Countdown quote={form.quote} />
        <QuoteDetails form={form} quote={shown} />
        <p className="renewed" aria-live="polite">
          {worse ? "" : noteOf(agreed, live)}
        </p>
      </div>
      {form.delegationUnknown ? (
        <p className="fine">{text.form.hints.delegation}</p>
      ) : (
        <Signatures
          terms={{
            family: origin.family,
            wallet: name,
            prompts: paying?.prompts === true,
            origin: origin.name,
            destination: destination.name,
            input: inputToken,
            output: outputToken,
            amount,
            recipient,
            vault: deployment?.vault ?? "",
            quote: shown,
            method,
            delegate: needsDelegation
              ? {
                  address: target,
                  pinned: (deployment?.delegates ?? []).some((own) => Chain.sameAddress("evm", own, target ?? ""))
                }
              : undefined
          }}
        />
      )}
      <DelegationError form={form} />
      <p className="fine">
        {words.expiry[origin.family === "solana" ? "transaction" : method === "delegation" ? "operation" : "payment"]}{" "}
        {needsDelegation && `${words.delegationStays} `}
        {words.refund(formatExactAmount(amount, inputToken))}
      </p>
      <div className="dialog-foot">
        {worse && (
          <PriceChange previous={agreed} offered={shown} token={outputToken} onAccept={() => setAgreed(shown)} />
        )}
        {checks}
        <div className="actions">
          <button type="button" className="second" onClick={onBack}>
            {words.back}
          </button>
          <button
            type="button"
            className="main"
            disabled={!ready || live === undefined || worse || isMissing || !form.canReview}
            onClick={() => live && onConfirm(live, lossBps)}
          >
            {words.confirm}
          </button>
        </div>
      </div>
    </>
  )
}
