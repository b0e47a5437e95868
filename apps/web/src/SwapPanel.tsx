/** The middle of the page: the form, its review, and the swap on its way in the form's place. */
import type { Quote } from "@geoswap/core/promise"
import { type FormToken, useSwap, useIdempotencyKey } from "@geoswap/react"
import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from "react"
import { SwapForm } from "./form/SwapForm.js"
import { usePageForm } from "./form/usePageForm.js"
import { useRecordSwap } from "./activity/useRecordSwap.js"
import { usePage } from "./pageContext.js"
import { ProgressPanel } from "./progress/SwapProgress.js"
import { RequotePrompt } from "./review/RequotePrompt.js"
import { closedMessage, isSameRequest, type OpenReview } from "./review/openReview.js"
import { Review } from "./review/Review.js"
import { type SwapSummary, withAgreedPrice, summarizeSwap } from "./swapSummary.js"
import { Dialog } from "./ui/Dialog.js"
import type { Wallet } from "./wallets/Wallet.js"

/** What is known of a swap when it begins. */
interface StartedSwap {
  /** At the price of the beginning, or at that of its last end where it is taken up again. */
  readonly summary: SwapSummary
  readonly at: number
  readonly delegates: boolean
  readonly payer: Wallet | undefined
  readonly output: FormToken
}

interface SwapPanelProps {
  /** Told of a swap on its way that the person leaves for a new one. */
  readonly onLeave: (flowId: string) => void
}

/** The form or the swap under way, and the dialog of both. */
export const SwapPanel = ({ onLeave }: SwapPanelProps): ReactElement => {
  const { config, consent, wallets } = usePage()
  const ended = useRecordSwap()
  const [opened, setOpened] = useState<OpenReview>()
  const [note, setNote] = useState<string>()
  const [started, setStarted] = useState<StartedSwap>()
  const [returned, setReturned] = useState(false)
  const current = useRef(started)
  const swap = useSwap({
    onEnd: (end) => {
      consent.end()
      if (current.current === undefined) return
      const { at, output, summary } = current.current
      // What is taken up again has no price among its events.
      const agreed = withAgreedPrice(summary, end.events, output)
      current.current = { ...current.current, summary: agreed }
      setStarted((before) => before && { ...before, summary: agreed })
      ended(end, agreed, at)
    }
  })
  const form = usePageForm(swap.phase !== "idle")
  const question = useSyncExternalStore(consent.subscribe, consent.question)
  const idempotencyKey = useIdempotencyKey(opened?.request)

  // Looked at was this request and no other: nothing of it is carried over to the next.
  if (opened !== undefined && !isSameRequest(opened.request, form.request)) {
    setOpened(undefined)
    setNote(closedMessage(opened.request, form))
  }

  const review = () => {
    const { quote, request } = form
    setNote(undefined)
    setOpened(quote.quote && request && { quote: quote.quote, request })
  }

  const begin = (quote: Quote, lossBps: number | undefined) => {
    const { delegation, origin, outputToken, request } = form
    if (request === undefined || outputToken === undefined || idempotencyKey === undefined) return
    const start: StartedSwap = {
      summary: summarizeSwap(request, quote.output, config),
      at: Date.now(),
      delegates: delegation !== undefined && !delegation.delegated,
      payer: origin && wallets[origin.kind],
      output: outputToken
    }
    current.current = start
    setStarted(start)
    setOpened(undefined)
    consent.begin(quote, lossBps)
    // The same form, confirmed again here or in another tab, is the same swap.
    swap.start(request, { quote, acceptRequote: consent.acceptRequote, idempotencyKey })
  }

  const stop = () => {
    consent.end()
    swap.cancel()
  }

  const renew = () => {
    const { flowId, phase, resumable } = swap
    const left = phase === "running" ? flowId : resumable
    if (left !== undefined) onLeave(left)
    // What was or may have been accepted is not offered again.
    if (phase === "done" || left !== undefined) form.set("amount", "")
    if (phase === "running") swap.cancel()
    setReturned(true)
    setStarted(undefined)
  }

  // What was left ends a moment later; only then there is room for the next.
  const over = started === undefined && swap.phase !== "idle" && swap.phase !== "running"
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
          wallet={started.payer?.name}
          asks={started.payer?.asks === true ? started.payer.name : undefined}
          onCancel={stop}
          onNew={renew}
        />
      )}
      <Dialog
        title="Review your swap"
        open={opened !== undefined || question !== undefined}
        onClose={() => {
          question?.answer(false)
          setOpened(undefined)
        }}
      >
        {question !== undefined && started !== undefined ? (
          <RequotePrompt question={question} token={started.output} />
        ) : (
          opened !== undefined && (
            <Review
              form={form}
              first={opened.quote}
              ready={idempotencyKey !== undefined}
              onBack={() => setOpened(undefined)}
              onConfirm={begin}
            />
          )
        )}
      </Dialog>
    </>
  )
}
