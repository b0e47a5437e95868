/** The swap form. */
import type { ChainInfo } from "@geoswap/core/promise"
import { useEffect, useRef } from "react"
import { usePage } from "../pageContext.js"
import { Icon } from "../ui/Icon.js"
import { Notice, ErrorNotice } from "../ui/Notice.js"
import { shortenAddress } from "../format/amounts.js"
import { describeError } from "../format/describeError.js"
import { PayAmount, PayFoot, ReceiveAmount, ReceiveFoot } from "./Amounts.js"
import { Countdown } from "./Countdown.js"
import { DelegationError } from "./DelegationError.js"
import { Leg } from "./Leg.js"
import { mainButton } from "./mainButton.js"
import { nameOfAddress } from "./nameOfAddress.js"
import { QuoteDetails, TotalCost } from "./QuoteDetails.js"
import { Recipient } from "./Recipient.js"
import { Settings } from "./Settings.js"
import { useDollarInput } from "./useDollarInput.js"
import type { PageForm } from "./usePageForm.js"
import { text } from "../language/language.js"

/** Explains what the page waits for, unless the main button or another message already says it. */
const hintOf = (form: PageForm): string => {
  const { hints } = text.form
  if (form.canReview || form.blocker !== undefined || form.refusal !== undefined) return ""
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

interface MessagesProps {
  readonly form: PageForm
  readonly note: string | undefined
}

const Messages = ({ form, note }: MessagesProps) => {
  const { chainsError, delegationError, blocker, estimateError, inputToken, quote, refusal, replaced } = form
  const error =
    chainsError ??
    estimateError ??
    (delegationError === null && quote.phase === "error" ? (quote.failureReason ?? quote.error) : null)
  return (
    <div className="messages" aria-live="polite">
      {note !== undefined && <Notice tone="calm">{note}</Notice>}
      {replaced !== undefined && inputToken !== undefined && (
        <Notice tone="calm">{text.form.onlyReceived(replaced, inputToken.symbol)}</Notice>
      )}
      {blocker !== undefined && (
        <Notice tone="warning">
          <strong>{blocker.title}</strong> {blocker.text}
        </Notice>
      )}
      {refusal !== undefined && <Notice tone="warning">{refusal}</Notice>}
      {error === null ? (
        <DelegationError form={form} />
      ) : (
        <ErrorNotice {...describeError(error, undefined, undefined, inputToken)} />
      )}
    </div>
  )
}

/** Shortens an address, and adds its name if it has one. */
const whoOf = (name: string | undefined, address: string | undefined): string => {
  if (address === undefined) return text.form.noWallet
  return name === undefined ? shortenAddress(address) : `${name} ${shortenAddress(address)}`
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
  const { config, openWallets, wallets } = usePage()
  const { action, label } = mainButton(form, wallets.evm !== undefined || wallets.solana !== undefined)
  const dollars = useDollarInput(form)
  const { chains, destination, inputToken, origin, outputToken, quote, set } = form
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (returned || note !== undefined) heading.current?.focus()
  }, [returned, note])
  const nameOf = (chain: ChainInfo | undefined, address: string | undefined) =>
    chain && address && nameOfAddress({ config, wallets }, chain.family, address)
  return (
    <section className="card route" aria-label={text.form.title}>
      <header className="card-head">
        <h1 ref={heading} tabIndex={-1}>
          {text.form.title}
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
        <Leg
          side="from"
          chains={chains}
          chain={origin}
          token={inputToken}
          onPick={({ chain, token }) => {
            set("originChain", chain.id)
            set("inputToken", token.address)
          }}
          who={whoOf(nameOf(origin, form.wallet), form.wallet)}
          amount={<PayAmount form={form} dollars={dollars} />}
        >
          <PayFoot form={form} dollars={dollars} />
        </Leg>
        <div className="path">
          <button type="button" className="flip" aria-label={text.form.flip} title={text.form.flip} onClick={form.flip}>
            <Icon name="flip" />
          </button>
        </div>
        <Leg
          side="to"
          chains={chains}
          chain={destination}
          token={outputToken}
          onPick={({ chain, token }) => {
            set("destinationChain", chain.id)
            set("outputToken", token.address)
          }}
          who={whoOf(
            form.errors.recipient === undefined ? nameOf(destination, form.recipient) : undefined,
            form.recipient
          )}
          amount={<ReceiveAmount form={form} />}
        >
          <ReceiveFoot form={form} />
          <Recipient form={form} />
        </Leg>
        <details className="price quote">
          <summary>
            <Countdown quote={quote} isEstimate={form.isEstimate} />
            <span className="quote-cost">
              {text.price.cost} <TotalCost quote={form.price} isHighCost={form.isHighCost} />
            </span>
            <Icon name="down" />
          </summary>
          <QuoteDetails
            quote={form.price}
            inputToken={inputToken}
            outputToken={outputToken}
            isHighCost={form.isHighCost}
            rate={form.rate}
            seconds={form.seconds}
          />
        </details>
        <Messages form={form} note={note} />
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
