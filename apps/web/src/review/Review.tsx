/** The review of a swap before anything is signed. */
import { minOutputOf, type Quote } from "@geoswap/core/promise"
import { Chain, Operation } from "@geoswap/core"
import { paymentOf } from "@geoswap/react/query"
import { type ReactNode, useState } from "react"
import { nameOfAddress } from "../form/nameOfAddress.js"
import { Countdown } from "../form/Countdown.js"
import { DelegationError } from "../form/DelegationError.js"
import { QuoteDetails } from "../form/QuoteDetails.js"
import type { PageForm } from "../form/usePageForm.js"
import { chainOf } from "../config.js"
import { usePage } from "../pageContext.js"
import { AmountText } from "../ui/AmountText.js"
import { Hash } from "../ui/Hash.js"
import { changeBps, formatAddress, formatUsd, formatExactAmount, formatPercent } from "../format/amounts.js"
import { isWorse } from "./requoteRule.js"
import { PriceChange } from "./PriceChange.js"
import { type Signature, describeSignatures, describeSwitch, type Terms } from "./describeSignatures.js"
import { SmallestUnits } from "./SmallestUnits.js"
import { useConsents } from "./useConsents.js"
import { text } from "../language/language.js"

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

const noteOf = (first: Quote, now: Quote | undefined): string => {
  const { review: words } = text
  if (now === undefined) return words.refreshing
  if (now.geoQuoteToken === first.geoQuoteToken) return ""
  const change = changeBps(first.output, now.output)
  if (Math.abs(change) < 0.5) return words.unchanged
  return (change > 0 ? words.better : words.worse)(formatPercent(Math.abs(change)))
}

const address = /(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})/

interface SignaturesProps {
  readonly signatures: ReadonlyArray<Signature>
  /** Whether the wallet asks for each signature. */
  readonly prompts: boolean
  /** The amounts as they are signed. */
  readonly children: ReactNode
  /** Explains that the wallet may ask to switch networks. */
  readonly switching: string | undefined
}

const Signatures = ({ children, prompts, signatures, switching }: SignaturesProps) => (
  <section className="signatures" aria-label={text.review.whatYouSign}>
    <h3>
      {signatures.length === 1 ? text.review.signOnce : prompts ? text.review.signTwice : text.review.signTwiceAtOnce}
    </h3>
    <ol>
      {signatures.map(({ shown, text: description, title }) => (
        <li key={title}>
          <strong>{title}.</strong>{" "}
          {description
            .split(address)
            .map((part, at) => (at % 2 === 1 ? <code key={part}>{formatAddress(part)}</code> : part))}
          {shown !== undefined && <p className="shown">{shown}</p>}
        </li>
      ))}
    </ol>
    {switching !== undefined && <p className="shown">{switching}</p>}
    {children}
  </section>
)

/** The review dialog. It refreshes the price continually. */
export const Review = ({ first, form, onBack, onConfirm, ready }: ReviewProps) => {
  const { review: words } = text
  const { config, wallets } = usePage()
  const [agreed, setAgreed] = useState(first)
  const [last, setLast] = useState(first)
  const { amount, delegation, destination, inputToken, origin, outputToken, payer, recipient, request, wallet } = form
  const live = form.quote.data
  if (live !== undefined && live !== last) setLast(live)
  const shown = live ?? last
  const { checks, isHigh, isMissing, lossBps } = useConsents(shown, outputToken, form.values.slippageBps)
  if (!origin || !destination || !inputToken || !outputToken || !wallet || !recipient || amount === undefined) {
    return <p>{words.missing}</p>
  }
  const worse = isWorse(agreed, shown)
  const paying = wallets[origin.family]
  const name = paying?.name ?? words.yourWallet
  const deployment = chainOf(config, origin.id)?.deployment
  const method = (request && paymentOf(shown, request, payer).method) ?? "delegation"
  const needsDelegation = method === "delegation" && delegation !== undefined && !delegation.delegated
  const target = delegation?.delegationTarget
  const account = delegation?.delegated ? delegation.delegatedTo : target
  const terms: Terms = {
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
    typedOperation:
      deployment !== undefined &&
      account !== undefined &&
      Operation.pinnedFor(deployment, account)?.accountVersion === 2,
    delegate: needsDelegation
      ? {
          address: target,
          pinned: (deployment?.delegates ?? []).some((own) => Chain.sameAddress("evm", own, target ?? ""))
        }
      : undefined
  }
  const signatures = describeSignatures(terms)
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
            {words.to(
              nameOfAddress({ config, wallets }, destination.family, recipient) ??
                form.recipientName ??
                words.otherAddress,
              destination.name
            )}{" "}
            {formatUsd(shown.outputUsd)}
          </p>
          <Hash what={words.receivingAddress} value={recipient} full />
        </div>
      </div>
      <div className="price">
        <Countdown quote={form.quote} />
        <QuoteDetails
          quote={shown}
          inputToken={inputToken}
          outputToken={outputToken}
          isHighCost={isHigh}
          rate={form.rate}
          seconds={form.seconds}
        />
        <p className="renewed" aria-live="polite">
          {worse ? "" : noteOf(agreed, live)}
        </p>
      </div>
      {form.delegationUnknown ? (
        <p className="fine">{text.form.hints.delegation}</p>
      ) : (
        <Signatures signatures={signatures} prompts={terms.prompts} switching={describeSwitch(terms)}>
          <SmallestUnits amount={amount} token={inputToken} />
          <SmallestUnits amount={shown.output} minimum={minOutputOf(shown)} token={outputToken} />
        </Signatures>
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
