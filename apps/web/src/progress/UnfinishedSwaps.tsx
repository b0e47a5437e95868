/** The unfinished swaps from earlier visits. They resume automatically. Resuming a swap signs nothing. */
import type { Flow } from "@geoswap/core/promise"
import { useResumableSwaps } from "@geoswap/react"
import { useEffect, useRef, useState } from "react"
import { Notice } from "../ui/Notice.js"
import { UnfinishedSwapCard } from "./UnfinishedSwapCard.js"
import { text } from "../language/language.js"

interface UnfinishedSwapsProps {
  /** Flows from this visit that the user left to start a new swap. */
  readonly left: ReadonlyArray<string>
  /** Whether part of the store cannot be read. Swaps in the rest of the store still resume. */
  readonly damaged: boolean
}

/** One card for each unfinished swap. */
export const UnfinishedSwaps = ({ damaged, left }: UnfinishedSwapsProps) => {
  const { data: flows, error, forget, isLoading } = useResumableSwaps()
  const [first, setFirst] = useState(true)
  const [resumed, setResumed] = useState<ReadonlyArray<Flow>>([])
  const lastDone = useRef<string>(undefined)

  // When the page loads, resume all flows. After that, resume only this page's own flows, because each tab follows the
  // swaps that it started.
  useEffect(() => {
    if (isLoading) return
    setFirst(false)
    const own = (flows ?? []).filter(({ id }) => first || left.includes(id))
    setResumed((before) => [...before, ...own.filter(({ id }) => before.every((flow) => flow.id !== id))])
  }, [first, flows, isLoading, left])

  const unread = damaged || error !== null
  if (resumed.length === 0 && !unread) return null
  const drop = (id: string) => setResumed((before) => before.filter((flow) => flow.id !== id))
  return (
    <section className="unfinished" aria-label={text.unfinished.title}>
      {unread && (
        <Notice tone="warning">
          <strong>{text.unfinished.unread}</strong> {text.unfinished.unreadText} {error?.message}
        </Notice>
      )}
      {resumed.map((flow) => (
        <UnfinishedSwapCard
          key={flow.id}
          flow={flow}
          onForget={async () => {
            await forget(flow.id)
            drop(flow.id)
          }}
          onDismiss={() => drop(flow.id)}
          onDone={() => {
            // Only the last swap that finished stays above the form.
            if (lastDone.current !== undefined) drop(lastDone.current)
            lastDone.current = flow.id
          }}
        />
      ))}
    </section>
  )
}
