/** The progress and the outcome of a swap. */
import { Chain } from "@geoswap/core"
import { swapOutcome } from "@geoswap/core/promise"
import type { UseSwapResult } from "@geoswap/react"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useLayoutEffect, useRef, useState } from "react"
import { chainOf, familyOf } from "../config.js"
import { nameOfAddress } from "../form/nameOfAddress.js"
import { usePage } from "../pageContext.js"
import { balanceIn, useBalances } from "../balances.js"
import { balanceDigits, formatTokenAmount } from "../format/amounts.js"
import { formatRoute, type SwapSummary } from "../swapSummary.js"
import { Notice, ErrorNotice } from "../ui/Notice.js"
import { useNow } from "../ui/useNow.js"
import { describeError } from "../format/describeError.js"
import { describeSigned } from "../format/describeSigned.js"
import { formatAbout, formatDuration } from "../format/time.js"
import { askToNotify, canAskToNotify } from "./endNotice.js"
import { expectedSeconds } from "./expectedTime.js"
import { describeHidden } from "./hiddenTerms.js"
import { outcomeOf } from "./outcome.js"
import { Timeline } from "./Timeline.js"
import { shownSteps } from "./shownSteps.js"
import { onWindow } from "../ui/store.js"
import { text } from "../language/language.js"
import type { Wallet } from "../wallets/Wallet.js"

/** The balance after the delivery, if a connected wallet received it. */
const NewBalance = ({ summary: { recipient, to } }: { readonly summary: SwapSummary }) => {
  const { config, wallets } = usePage()
  const client = useQueryClient()
  const family = familyOf(config, to.chainId)
  const address = wallets[family]?.address
  const own = address !== undefined && Chain.sameAddress(family, address, recipient) ? address : undefined
  useBalances(to.chainId, own)
  const chain = chainOf(config, to.chainId)
  const tokens = chain && [{ ...chain.native, address: Chain.nativeToken[family] }, ...chain.tokens]
  const token = tokens?.find(({ symbol }) => symbol === to.symbol)
  const units = token && balanceIn(client, to.chainId, own, token.address)
  return token === undefined || units === undefined ? null : (
    <>{text.progress.newBalance(formatTokenAmount(units, token, balanceDigits))}</>
  )
}

const online = onWindow("online")

interface SwapProgressProps {
  readonly state: UseSwapResult
  readonly summary: SwapSummary
  /** Whether the swap is known to need a delegation. */
  readonly delegates?: boolean
  /** The paying wallet, unless the swap is from an earlier visit. */
  readonly payer?: Wallet | undefined
  /** When the swap started, in Unix milliseconds, if it has started. */
  readonly beganAt: number | undefined
}

/** A swap that takes more than this many times the expected time is slow. */
const slowFactor = 2

/** Says that an accepted swap is slow. */
const SlowNotice = ({ beganAt, summary }: { readonly beganAt: number; readonly summary: SwapSummary }) => {
  const { activity, config } = usePage()
  const now = useNow(1000)
  const seconds = expectedSeconds(config, summary.from.chainId, summary.to.chainId, activity.entries.get())
  const isSlow = seconds !== undefined && now - beganAt > slowFactor * seconds * 1000
  return isSlow ? <Notice tone="calm">{text.progress.slow}</Notice> : null
}

/** Shows the steps and the outcome or error of a swap. */
export const SwapProgress = ({ beganAt, delegates = false, payer, state, summary }: SwapProgressProps) => {
  const { error, isCancelled, isError, isPending, mutate, payment, resumable: flowId, swap } = state
  const page = usePage()
  const { config, resetBalances } = page
  const { progress: words } = text
  // Resumes a swap with an unknown outcome when the browser comes back online. Resuming signs nothing and never pays twice.
  useEffect(
    () => (flowId !== undefined && isError && !isCancelled ? online(() => mutate({ flowId })) : undefined),
    [flowId, isCancelled, isError, mutate]
  )
  // Runs in the same frame as the step, so that no outdated balance is shown next to the step.
  useLayoutEffect(() => {
    if (swap !== undefined) resetBalances(swap, summary)
  }, [resetBalances, swap, summary])
  const name = nameOfAddress(page, familyOf(config, summary.to.chainId), summary.recipient)
  const outcome = swap && outcomeOf(swap, summary, name)
  const steps = shownSteps(state.steps, delegates)
  const promptingWallet = payer?.prompts === true ? payer.name : undefined
  const isSigning = steps.some(({ name: step, state: at }) => step === "sign" && at === "running")
  const hidden = isSigning && payment && promptingWallet ? describeHidden(payment, promptingWallet, config) : undefined
  return (
    <>
      <div aria-live="polite">
        <Timeline state={state} steps={steps} summary={summary} promptingWallet={promptingWallet} />
        {hidden !== undefined && <Notice tone="calm">{hidden}</Notice>}
        {isPending && swap !== undefined && beganAt !== undefined && <SlowNotice beganAt={beganAt} summary={summary} />}
      </div>
      {outcome !== undefined && (
        <div className={outcome.good ? "outcome outcome-good" : "outcome"} role={outcome.good ? "status" : "alert"}>
          <strong>{outcome.title}</strong>
          <p>
            {outcome.text} {swap?.status === "settled" && <NewBalance summary={summary} />}
          </p>
        </div>
      )}
      {isError && !isCancelled && (
        <div role="alert">
          <ErrorNotice {...describeError(error, payer?.name, state)} />
        </div>
      )}
      {isCancelled && (
        <Notice tone="calm">
          <strong>{words.cancelled}</strong>{" "}
          {flowId === undefined
            ? describeSigned(state.events, undefined, text.signed.nothingSentOrPaid)
            : words.mayContinue}
        </Notice>
      )}
      {flowId !== undefined && (
        <button type="button" className="main" onClick={() => mutate({ flowId })}>
          {words.resume}
        </button>
      )}
    </>
  )
}

/**
 * Whether the same swap can be made again: it ended without a delivery, and that is proved. After an operation
 * that does not match what was confirmed, the page does not offer it.
 */
const canRetry = ({ error, isCancelled, isError, isSuccess, resumable, swap }: UseSwapResult) =>
  resumable === undefined &&
  (isSuccess
    ? swap !== undefined && swapOutcome(swap).next === "retry"
    : isCancelled || (isError && describeError(error).tone !== "danger"))

interface ProgressPanelProps extends Omit<SwapProgressProps, "beganAt"> {
  readonly onCancel: () => void
  /** Returns to the form with the same values. */
  readonly onRetry: () => void
  readonly onNew: () => void
}

/** The progress panel, shown in place of the form. */
export const ProgressPanel = (props: ProgressPanelProps) => {
  const { onCancel, onNew, onRetry, state, summary } = props
  const { canCancel, events, flowId, isPending, resumable, swap } = state
  const { activity, config } = usePage()
  const { progress: words } = text
  const heading = useRef<HTMLHeadingElement>(null)
  const now = useNow(1000, isPending)
  const began = events[0]?.at
  const ended = isPending ? undefined : events.at(-1)?.at
  const retry = canRetry(state)
  const elapsed = began === undefined ? undefined : formatDuration((ended ?? now) - began)
  const seconds = expectedSeconds(config, summary.from.chainId, summary.to.chainId, activity.entries.get())
  const [mayAsk, setMayAsk] = useState(canAskToNotify)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="card" aria-label={words.title}>
      <header className="card-head">
        <h1 ref={heading} tabIndex={-1}>
          {formatRoute(summary)}
        </h1>
        <span className="elapsed">
          {elapsed !== undefined && isPending && seconds !== undefined
            ? text.time.of(elapsed, formatAbout(seconds))
            : elapsed}
        </span>
      </header>
      <SwapProgress {...props} beganAt={began} />
      <p className="fine">
        {isPending && swap !== undefined && (
          <>
            {words.canClose}{" "}
            {mayAsk && (
              <button type="button" className="link" onClick={() => void askToNotify().then(() => setMayAsk(false))}>
                {words.notify}
              </button>
            )}
          </>
        )}
      </p>
      <div className="actions">
        {canCancel && (
          <button type="button" className="second" onClick={onCancel}>
            {words.cancel}
          </button>
        )}
        {(!isPending || flowId !== undefined) && (
          <button
            type="button"
            className={isPending || resumable !== undefined || retry ? "second" : "main"}
            onClick={onNew}
          >
            {isPending ? words.anotherSwap : words.newSwap}
          </button>
        )}
        {retry && (
          <button type="button" className="main" onClick={onRetry}>
            {swap !== undefined && swapOutcome(swap).isRecipientAtFault ? words.changeRecipient : words.tryAgain}
          </button>
        )}
      </div>
    </section>
  )
}
