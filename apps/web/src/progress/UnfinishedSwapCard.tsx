/** An unfinished swap from an earlier visit. */
import type { Flow } from "@geoswap/core/promise"
import { useSwap } from "@geoswap/react"
import { useEffect, useRef, useState } from "react"
import { useRecordSwap } from "../activity/useRecordSwap.js"
import { usePage } from "../pageContext.js"
import { formatRoute, summarizeSwap } from "../swapSummary.js"
import { ConfirmDialog } from "../ui/ConfirmDialog.js"
import { Icon } from "../ui/Icon.js"
import { ErrorNotice } from "../ui/Notice.js"
import { useNow } from "../ui/useNow.js"
import { formatAgo } from "../format/time.js"
import { endOf } from "./outcome.js"
import { SwapProgress } from "./SwapProgress.js"
import { text } from "../language/language.js"

interface UnfinishedSwapCardProps {
  readonly flow: Flow
  readonly onForget: () => Promise<void>
  /** Called once the swap has finished and is listed under Activity. */
  readonly onDone: () => void
  readonly onDismiss: () => void
}

/** Resumes the swap and shows its progress. */
export const UnfinishedSwapCard = ({ flow, onDismiss, onDone, onForget }: UnfinishedSwapCardProps) => {
  const { config } = usePage()
  const [confirming, setConfirming] = useState(false)
  const [forgetError, setForgetError] = useState<string>()
  const now = useNow(10_000)
  const summary = summarizeSwap(flow.request, flow.output, config)
  const recordSwap = useRecordSwap()
  const state = useSwap({
    onSuccess: (end) => recordSwap(end, flow.request.walletAddress, summary, flow.createdAt)
  })
  const { cancel, isCancelled, isError, isSuccess, mutate, resumable, swap } = state
  const resumed = useRef(false)
  useEffect(() => {
    if (resumed.current) return
    resumed.current = true
    mutate({ flowId: flow.id })
  }, [flow.id, mutate])

  const isUnproved = isSuccess && resumable !== undefined
  const over = (isSuccess || (isError && !isCancelled)) && resumable === undefined
  const isDone = isSuccess && resumable === undefined
  useEffect(() => {
    if (isDone) onDone()
    // Reported once: the parent's callback may change with every render.
  }, [isDone])
  const what = formatRoute(summary)
  const { unfinished: words } = text
  // A finished swap is one line: it is also listed under Activity.
  if (over) {
    const title = `${endOf(swap)}: ${what}`
    return (
      <article className="card card-small ended">
        <p className="visually-hidden" role="status">
          {title}
        </p>
        <details>
          <summary>
            <h2>{title}</h2>
            <Icon name="down" />
          </summary>
          <SwapProgress state={state} summary={summary} beganAt={undefined} />
        </details>
        <button type="button" className="link" onClick={onDismiss}>
          {words.dismiss}
        </button>
      </article>
    )
  }
  return (
    <article className="card card-small">
      <p className="visually-hidden" role="status" />
      <header className="card-head">
        <h2>{isUnproved ? words.unproved(what) : words.inProgress(what)}</h2>
        <span className="elapsed">{words.started(formatAgo(now - flow.createdAt))}</span>
      </header>
      <SwapProgress state={state} summary={summary} beganAt={flow.createdAt} />
      <div className="actions">
        <button type="button" className="link" onClick={() => setConfirming(true)}>
          {words.forget}
        </button>
      </div>
      <ConfirmDialog
        title={words.forgetTitle}
        open={confirming}
        buttons={[words.keep, words.forgetIt]}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          cancel()
          onForget().catch((error: unknown) => setForgetError(String(error)))
        }}
      >
        <p>{swap === undefined ? words.forgetText : words.forgetAccepted}</p>
        <div role="alert">
          {forgetError !== undefined && (
            <ErrorNotice title={words.notRemoved} text={words.allowStorage} tone="warning" detail={forgetError} />
          )}
        </div>
      </ConfirmDialog>
    </article>
  )
}
