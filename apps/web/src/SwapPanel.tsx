/** The middle of the page: the form, its review, and the swap on its way in the form's place. */
import type { Quote } from "@geoswap/core/promise"
import { type FormToken, useSwap } from "@geoswap/react"
import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from "react"
import { SwapForm } from "./form/SwapForm.js"
import { useForm } from "./form/useForm.js"
import { useEnded } from "./history/useEnded.js"
import { usePage } from "./page.js"
import { Progress } from "./progress/Journey.js"
import { Asked } from "./review/Asked.js"
import { Review } from "./review/Review.js"
import { type Trip, tripOf } from "./trip.js"
import { Dialog } from "./ui/Dialog.js"
import type { Wallet } from "./wallets/Wallet.js"

/** What is known of a swap when it begins, and stays so. */
interface Begun {
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
  const [first, setFirst] = useState<Quote>()
  const [begun, setBegun] = useState<Begun>()
  const [returned, setReturned] = useState(false)
  const current = useRef(begun)
  const swap = useSwap({
    onEnd: (end) => {
      consent.end()
      if (current.current !== undefined) ended(end, current.current.trip, current.current.at)
    }
  })
  const form = useForm(swap.phase !== "idle")
  const question = useSyncExternalStore(consent.subscribe, consent.question)

  const begin = (quote: Quote, lossBps: number | undefined) => {
    const { chains, delegation, origin, outputToken, request } = form
    if (request === undefined || outputToken === undefined) return
    const start: Begun = {
      trip: tripOf(request, quote.output, chains, config),
      at: Date.now(),
      delegates: delegation !== undefined && !delegation.delegated,
      payer: origin && wallets[origin.kind],
      output: outputToken
    }
    current.current = start
    setBegun(start)
    setFirst(undefined)
    consent.begin(quote, lossBps)
    swap.start(request, { quote, acceptRequote: consent.acceptRequote })
  }

  const stop = () => {
    consent.end()
    swap.cancel()
  }

  const renew = () => {
    if (swap.phase === "done") form.set("amount", "")
    else if (swap.flowId !== undefined) onLeave(swap.flowId)
    if (swap.phase === "running") swap.cancel()
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
        <SwapForm form={form} returned={returned} onReview={() => setFirst(form.quote.quote)} />
      ) : (
        <Progress
          state={swap}
          trip={begun.trip}
          delegates={begun.delegates}
          wallet={begun.payer?.name}
          asks={begun.payer?.asks === true ? begun.payer.name : undefined}
          onCancel={stop}
          onNew={renew}
        />
      )}
      <Dialog
        title="Review your swap"
        open={first !== undefined || question !== undefined}
        onClose={() => {
          question?.answer(false)
          setFirst(undefined)
        }}
      >
        {question !== undefined && begun !== undefined ? (
          <Asked question={question} token={begun.output} />
        ) : (
          first !== undefined && (
            <Review form={form} first={first} onBack={() => setFirst(undefined)} onConfirm={begin} />
          )
        )}
      </Dialog>
    </>
  )
}
