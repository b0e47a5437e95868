/** One swap that an earlier visit left on its way. */
import type { Flow } from "@geoswap/core/promise"
import { useSwap } from "@geoswap/react"
import { type ReactElement, useEffect, useRef, useState } from "react"
import { useRecordSwap } from "../activity/useRecordSwap.js"
import { usePage } from "../pageContext.js"
import { formatLeg, summarizeSwap } from "../swapSummary.js"
import { Dialog } from "../ui/Dialog.js"
import { ErrorNotice } from "../ui/Notice.js"
import { useNow } from "../ui/useNow.js"
import { formatAgo } from "../format/time.js"
import { SwapProgress } from "./SwapProgress.js"

interface UnfinishedSwapCardProps {
  readonly flow: Flow
  readonly onForget: () => Promise<void>
  readonly onDismiss: () => void
}

/** Takes the swap up, and shows how it goes. */
export const UnfinishedSwapCard = ({ flow, onDismiss, onForget }: UnfinishedSwapCardProps): ReactElement => {
  const { config } = usePage()
  const [asking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const now = useNow(10_000)
  const summary = summarizeSwap(flow.request, flow.output, config)
  const ended = useRecordSwap()
  const state = useSwap({ onEnd: (end) => ended(end, summary, flow.createdAt) })
  const { cancel, phase, resumable, resume, swap } = state
  const taken = useRef(false)
  useEffect(() => {
    if (taken.current) return
    taken.current = true
    resume(flow.id)
  }, [flow.id, resume])

  const over = phase === "done" || (phase === "failed" && resumable === undefined)
  const what = `${formatLeg(summary.from)} → ${summary.to.symbol}`
  return (
    <article className="card card-small">
      <header className="card-head">
        <h2>
          {over ? "A swap has ended" : "A swap is still under way"}: {what}
        </h2>
        <span className="elapsed">begun {formatAgo(now - flow.createdAt)}</span>
      </header>
      <SwapProgress state={state} summary={summary} />
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
            <ErrorNotice
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
