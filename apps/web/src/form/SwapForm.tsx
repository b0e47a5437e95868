/** The swap form. */
import { useEffect, useRef } from "react"
import { describeError } from "../format/describeError.js"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import { Icon } from "../ui/Icon.js"
import { Notice, ErrorNotice } from "../ui/Notice.js"
import { PayAmount, PayFoot, ReceiveAmount, ReceiveFoot } from "./Amounts.js"
import { Countdown } from "./Countdown.js"
import { DelegationError } from "./DelegationError.js"
import { Leg } from "./Leg.js"
import { mainButton } from "./mainButton.js"
import { QuoteDetails, TotalCost } from "./QuoteDetails.js"
import { Recipient } from "./Recipient.js"
import { Settings } from "./Settings.js"
import { useDollarInput } from "./useDollarInput.js"
import type { PageForm } from "./usePageForm.js"

/** Explains what the page waits for, unless the main button or another message already says it. */
const hintOf = (form: PageForm) => {
  const { hints } = text.form
  if (form.canReview || form.blocker !== undefined) return ""
  if (form.isLoading) return hints.loading
  if (form.wallet === undefined) return form.isEstimate && form.origin ? hints.connect[form.origin.family] : ""
  if (!form.amount && form.errors.amount === undefined) return ""
  // These errors are not shown anywhere else: selects do not show errors, and the slippage field is hidden.
  const { destinationChain, inputToken, originChain, outputToken, slippageBps } = form.errors
  const hidden = originChain ?? inputToken ?? destinationChain ?? outputToken ?? slippageBps
  if (hidden !== undefined) return hidden
  if (Object.keys(form.errors).length > 0 || form.recipient === undefined) return ""
  if (form.delegationUnknown) return form.delegationError === null ? hints.delegation : ""
  if (form.paymentUnknown) return hints.payment
  return form.quote.phase !== "error" && form.quote.phase !== "ready" ? hints.price : ""
}

interface SwapFormProps {
  readonly form: PageForm
  /** Whether the user has just left the progress of a swap. If so, the form's heading receives focus. */
  readonly returned: boolean
  /** Why the review was closed, unless the user closed it. */
  readonly note: string | undefined
  readonly onReview: () => void
}

/** The form, up to the button that opens the review. */
export const SwapForm = ({ form, note, onReview, returned }: SwapFormProps) => {
  const { openWallets, wallets } = usePage()
  const { action, label } = mainButton(form, wallets.evm !== undefined || wallets.solana !== undefined)
  const dollars = useDollarInput(form)
  const { blocker, chainsError, delegationError, estimateError, inputToken, quote, replaced, unknownLink } = form
  const error =
    chainsError ??
    estimateError ??
    (delegationError === null && quote.phase === "error" ? (quote.failureReason ?? quote.error) : null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (returned || note !== undefined) heading.current?.focus()
  }, [returned, note])
  const { form: words } = text
  return (
    <section className="card route" aria-label={words.title}>
      <header className="card-head">
        <h1 ref={heading} tabIndex={-1}>
          {words.title}
        </h1>
        <Settings form={form} />
      </header>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (action === "review") onReview()
          else if (action !== undefined) openWallets()
        }}
      >
        <Leg form={form} side="from" amount={<PayAmount form={form} dollars={dollars} />}>
          <PayFoot form={form} dollars={dollars} />
        </Leg>
        <div className="path">
          <button type="button" className="flip" aria-label={words.flip} title={words.flip} onClick={form.flip}>
            <Icon name="flip" />
          </button>
        </div>
        <Leg form={form} side="to" amount={<ReceiveAmount form={form} />}>
          <ReceiveFoot form={form} />
          <Recipient form={form} />
        </Leg>
        <details className="price quote">
          <summary>
            <Countdown quote={quote} isEstimate={form.isEstimate} />
            <span className="quote-cost">
              {text.price.cost} <TotalCost quote={form.price} />
            </span>
            <Icon name="down" />
          </summary>
          <QuoteDetails form={form} quote={form.price} />
        </details>
        <div className="messages" aria-live="polite">
          {note !== undefined && <Notice tone="calm">{note}</Notice>}
          {unknownLink && <Notice tone="warning">{words.unknownLink}</Notice>}
          {replaced !== undefined && inputToken !== undefined && (
            <Notice tone="calm">{words.onlyReceived(replaced, inputToken.symbol)}</Notice>
          )}
          {blocker !== undefined && (
            <Notice tone="warning">
              <strong>{blocker.title}</strong> {blocker.text}
            </Notice>
          )}
          {error === null ? (
            <DelegationError form={form} />
          ) : (
            <ErrorNotice {...describeError(error, undefined, undefined, inputToken)} />
          )}
        </div>
        <button type="submit" className="main" disabled={action === undefined} aria-describedby="review-hint">
          {label}
        </button>
        <p className="hint" id="review-hint">
          {hintOf(form)}
        </p>
      </form>
    </section>
  )
}
