/** One swap that an earlier visit left on its way. */
import type { Flow } from "@geoswap/core/promise"
import { useSwap } from "@geoswap/react"
import { type ReactElement, useEffect, useRef, useState } from "react"
import { useEnded } from "../history/useEnded.js"
import { usePage } from "../page.js"
import { placeWords, tripOf } from "../trip.js"
import { Dialog } from "../ui/Dialog.js"
import { Problem } from "../ui/Notice.js"
import { useNow } from "../ui/useNow.js"
import { ago } from "../words/time.js"
import { Journey } from "./Journey.js"

interface UnfinishedCardProps {
  readonly flow: Flow
  readonly onForget: () => Promise<void>
  readonly onDismiss: () => void
}

/** Takes the swap up, and shows how it goes. */
export const UnfinishedCard = ({ flow, onDismiss, onForget }: UnfinishedCardProps): ReactElement => {
  const { config } = usePage()
  const [asking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const now = useNow(10_000)
  const trip = tripOf(flow.request, flow.output, config)
  const ended = useEnded()
  const state = useSwap({ onEnd: (end) => ended(end, trip, flow.createdAt) })
  const { cancel, phase, resumable, resume, swap } = state
  const taken = useRef(false)
  useEffect(() => {
    if (taken.current) return
    taken.current = true
    resume(flow.id)
  }, [flow.id, resume])

  const over = phase === "done" || (phase === "failed" && resumable === undefined)
  const what = `${placeWords(trip.from)} → ${trip.to.symbol}`
  return (
    <article className="card card-small">
      <header className="card-head">
        <h2>
          {over ? "A swap has ended" : "A swap is still under way"}: {what}
        </h2>
        <span className="elapsed">begun {ago(now - flow.createdAt)}</span>
      </header>
      <Journey state={state} trip={trip} />
      <div className="actions">
        {over ? (
          <button type="button" className="second" onClick={onDismiss}>
            Dismiss
          </button>
        ) : (
          <button type="button" className="link" onClick={() => setAsking(true)}>
            Forget this swap
          </button>
        )}
      </div>
      <Dialog title="Forget this swap?" open={asking && !over} onClose={() => setAsking(false)}>
        <p>
          It is not stopped: {swap === undefined ? "where it was accepted, it" : "it"} goes on, and is delivered or
          comes back. Only this page does not follow it any more.
        </p>
        <div role="alert">
          {refusal !== undefined && (
            <Problem
              title="It could not be forgotten."
              text="Allow storage for this site, then try again."
              tone="warning"
              detail={refusal}
            />
          )}
        </div>
        <div className="dialog-foot actions">
          <button type="button" className="second" onClick={() => setAsking(false)}>
            Keep it
          </button>
          <button
            type="button"
            className="main"
            onClick={() => {
              cancel()
              onForget().catch((refused: unknown) => setRefusal(String(refused)))
            }}
          >
            Forget it
          </button>
        </div>
      </Dialog>
    </article>
  )
}
