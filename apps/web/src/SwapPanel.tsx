/** The main panel: the form and its review, or the progress of a running swap. */
import { type Quote, type QuoteInput, swapOutcome } from "@geoswap/core/promise"
import { type FormToken, useSwap, useIdempotencyKey, type UseSwapResult } from "@geoswap/react"
import { paymentOf } from "@geoswap/react/query"
import { useEffect, useRef, useState } from "react"
import { SwapForm } from "./form/SwapForm.js"
import { usePageForm } from "./form/usePageForm.js"
import { useRecordSwap } from "./activity/useRecordSwap.js"
import { usePage } from "./pageContext.js"
import { ProgressPanel } from "./progress/SwapProgress.js"
import { showForm } from "./route.js"
import { RequotePrompt } from "./review/RequotePrompt.js"
import { closedMessage, isSameRequest } from "./review/openReview.js"
import { Review } from "./review/Review.js"
import { type SwapSummary, withAgreedPrice, summarizeSwap } from "./swapSummary.js"
import { Dialog } from "./ui/Dialog.js"
import { useStore } from "./ui/store.js"
import type { Wallet } from "./wallets/Wallet.js"
import { text } from "./language/language.js"

/** The details that are known when a swap starts. */
interface StartedSwap {
  /** The summary, which contains the confirmed price or, for a resumed swap, the last known price. */
  readonly summary: SwapSummary
  readonly at: number
  readonly delegates: boolean
  readonly payer: Wallet | undefined
  readonly walletAddress: string | undefined
  readonly output: FormToken
  /** The events of the swap, but not those of a later attempt to resume it. */
  readonly events: Array<UseSwapResult["events"][number]>
}

interface SwapPanelProps {
  /** Called with the flow id of a running swap that the user leaves to start a new one. */
  readonly onLeave: (flowId: string) => void
}

/** The form or the running swap, and the review dialog. */
export const SwapPanel = ({ onLeave }: SwapPanelProps) => {
  const { config, consent, wallets } = usePage()
  const recordSwap = useRecordSwap()
  const [opened, setOpened] = useState<{ readonly quote: Quote; readonly request: QuoteInput }>()
  const [note, setNote] = useState<string>()
  const [started, setStarted] = useState<StartedSwap>()
  const [returned, setReturned] = useState(false)
  const current = useRef(started)
  const swap = useSwap({
    onSettled: (end) => {
      consent.end()
      if (current.current === undefined) return
      const { at, events, output, summary, walletAddress } = current.current
      const agreed = withAgreedPrice(summary, events, output)
      // A resumed swap's events do not include a price.
      setStarted((before) => before && { ...before, summary: agreed })
      if (end) recordSwap(end, walletAddress, agreed, at)
    }
  })
  const form = usePageForm(!swap.isIdle)
  const question = useStore(consent.question)
  useEffect(() => {
    if (question !== undefined) showForm()
  }, [question])
  const idempotencyKey = useIdempotencyKey(opened?.request)

  // The review was for this request only, so it is closed when the request changes.
  if (opened !== undefined && !isSameRequest(opened.request, form.request)) {
    setOpened(undefined)
    setNote(closedMessage(opened.request, form))
  }

  const review = () => {
    const { quote, request } = form
    setNote(undefined)
    setOpened(quote.data && request && { quote: quote.data, request })
  }

  const startSwap = (quote: Quote, lossBps: number | undefined) => {
    const { delegation, origin, outputToken, payer, request } = form
    if (request === undefined || outputToken === undefined || idempotencyKey === undefined) return
    const start: StartedSwap = {
      summary: summarizeSwap(request, quote.output, config),
      at: Date.now(),
      delegates:
        delegation !== undefined && !delegation.delegated && paymentOf(quote, request, payer).method === "delegation",
      payer: origin && wallets[origin.family],
      walletAddress: request.walletAddress,
      output: outputToken,
      events: []
    }
    // The idempotency key ensures that confirming the same form again, here or in another tab, leads to the same swap.
    const { started } = swap.mutate({
      request,
      quote,
      acceptRequote: consent.acceptRequote,
      idempotencyKey,
      onProgress: (event) => start.events.push({ event, at: Date.now() })
    })
    if (!started) return
    consent.start(quote, lossBps)
    current.current = start
    setStarted(start)
    setOpened(undefined)
  }

  const stop = () => {
    consent.end()
    swap.cancel()
  }

  const startNew = (keepsAmount: boolean) => {
    const { flowId, isPending, resumable } = swap
    const left = isPending ? flowId : resumable
    if (left !== undefined) onLeave(left)
    // Without an amount, the form does not offer the same swap again, which was or may have been accepted.
    if (!keepsAmount || left !== undefined) form.set("amount", "")
    // This recipient cannot receive the output.
    if (swap.swap !== undefined && swapOutcome(swap.swap).isRecipientAtFault) form.set("recipient", "")
    if (isPending) swap.cancel()
    setReturned(true)
    setStarted(undefined)
  }

  // A swap that the user leaves ends a moment later. The next swap can start only after that.
  const over = started === undefined && !swap.isIdle && !swap.isPending
  const { reset } = swap
  useEffect(() => {
    if (over) reset()
  }, [over, reset])

  return (
    <>
      {started === undefined ? (
        <SwapForm form={form} returned={returned} note={note} onReview={review} />
      ) : (
        <ProgressPanel
          state={swap}
          summary={withAgreedPrice(started.summary, swap.events, started.output)}
          delegates={started.delegates}
          payer={started.payer}
          onCancel={stop}
          onNew={() => startNew(false)}
          onRetry={() => startNew(true)}
        />
      )}
      <Dialog
        title={text.review.title}
        open={opened !== undefined || question !== undefined}
        onClose={() => {
          question?.answer(false)
          setOpened(undefined)
        }}
      >
        {question !== undefined && started !== undefined ? (
          // Consent applies only to the current question, because another question may replace it.
          <RequotePrompt key={question.id} question={question} token={started.output} />
        ) : (
          opened !== undefined && (
            <Review
              form={form}
              first={opened.quote}
              ready={idempotencyKey !== undefined}
              onBack={() => setOpened(undefined)}
              onConfirm={startSwap}
            />
          )
        )}
      </Dialog>
    </>
  )
}
