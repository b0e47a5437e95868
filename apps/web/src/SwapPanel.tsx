/** The middle of the page: the form, its review, and the swap on its way in the form's place. */
import type { Quote } from "@geoswap/core/promise"
import { type FormToken, useSwap, useIdempotencyKey } from "@geoswap/react"
import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from "react"
import { SwapForm } from "./form/SwapForm.js"
import { useForm } from "./form/useForm.js"
import { useEnded } from "./history/useEnded.js"
import { usePage } from "./page.js"
import { Progress } from "./progress/Journey.js"
import { Asked } from "./review/Asked.js"
import { closedWords, isSameRequest, type Opened } from "./review/opened.js"
import { Review } from "./review/Review.js"
import { type Trip, tripAt, tripOf } from "./trip.js"
import { Dialog } from "./ui/Dialog.js"
import type { Wallet } from "./wallets/Wallet.js"

/** What is known of a swap when it begins. */
interface Begun {
  /** At the price of the beginning, or at that of its last end where it is taken up again. */
  readonly trip: Trip
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
  const ended = useEnded()
  const [opened, setOpened] = useState<Opened>()
  const [note, setNote] = useState<string>()
  const [begun, setBegun] = useState<Begun>()
  const [returned, setReturned] = useState(false)
  const current = useRef(begun)
  const swap = useSwap({
    onEnd: (end) => {
      consent.end()
      if (current.current === undefined) return
      const { at, output, trip } = current.current
      // What is taken up again has no price among its events.
      const agreed = tripAt(trip, end.events, output)
      current.current = { ...current.current, trip: agreed }
      setBegun((before) => before && { ...before, trip: agreed })
      ended(end, agreed, at)
    }
  })
  const form = useForm(swap.phase !== "idle")
  const question = useSyncExternalStore(consent.subscribe, consent.question)
  const idempotencyKey = useIdempotencyKey(opened?.request)

  // Looked at was this request and no other: nothing of it is carried over to the next.
  if (opened !== undefined && !isSameRequest(opened.request, form.request)) {
    setOpened(undefined)
    setNote(closedWords(opened.request, form))
  }

  const review = () => {
    const { quote, request } = form
    setNote(undefined)
    setOpened(quote.quote && request && { quote: quote.quote, request })
  }

  const begin = (quote: Quote, lossBps: number | undefined) => {
    const { delegation, origin, outputToken, request } = form
    if (request === undefined || outputToken === undefined || idempotencyKey === undefined) return
    const start: Begun = {
      trip: tripOf(request, quote.output, config),
      at: Date.now(),
      delegates: delegation !== undefined && !delegation.delegated,
      payer: origin && wallets[origin.kind],
      output: outputToken
    }
    current.current = start
    setBegun(start)
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
    setBegun(undefined)
  }

  // What was left ends a moment later; only then there is room for the next.
  const over = begun === undefined && swap.phase !== "idle" && swap.phase !== "running"
  const { reset } = swap
  useEffect(() => {
    if (over) reset()
  }, [over, reset])

  return (
    <>
      {begun === undefined ? (
        <SwapForm form={form} returned={returned} note={note} onReview={review} />
      ) : (
        <Progress
          state={swap}
          trip={tripAt(begun.trip, swap.events, begun.output)}
          delegates={begun.delegates}
          wallet={begun.payer?.name}
          asks={begun.payer?.asks === true ? begun.payer.name : undefined}
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
        {question !== undefined && begun !== undefined ? (
          <Asked question={question} token={begun.output} />
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
