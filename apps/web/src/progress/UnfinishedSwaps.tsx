/** Swaps that an earlier visit left on their way. They are taken up by themselves: that signs nothing. */
import type { Flow } from "@geoswap/core/promise"
import { useResumableSwaps } from "@geoswap/react"
import { type ReactElement, useEffect, useState } from "react"
import { Notice } from "../ui/Notice.js"
import { UnfinishedSwapCard } from "./UnfinishedSwapCard.js"

interface UnfinishedSwapsProps {
  /** Flows of this visit that the person has left for a new swap. */
  readonly left: ReadonlyArray<string>
  /** Whether something of the journal cannot be read; the rest of it is taken up all the same. */
  readonly damaged: boolean
}

/** The cards of unfinished swaps, where there are any. */
export const UnfinishedSwaps = ({ damaged, left }: UnfinishedSwapsProps): ReactElement | null => {
  const { error, flows, forget, isLoading } = useResumableSwaps()
  const [first, setFirst] = useState(true)
  const [taken, setTaken] = useState<ReadonlyArray<Flow>>([])

  // At first all of them; later only this page's own: what another tab begins, that tab follows.
  useEffect(() => {
    if (isLoading) return
    setFirst(false)
    const own = flows.filter(({ id }) => first || left.includes(id))
    setTaken((before) => [...before, ...own.filter(({ id }) => before.every((flow) => flow.id !== id))])
  }, [first, flows, isLoading, left])

  const unread = damaged || error !== null
  if (taken.length === 0 && !unread) return null
  const drop = (id: string) => setTaken((before) => before.filter((flow) => flow.id !== id))
  return (
    <section className="unfinished" aria-label="UnfinishedSwaps swaps">
      {unread && (
        <Notice tone="warning">
          <strong>What this browser remembers of an unfinished swap cannot be read.</strong> The swap itself goes on.{" "}
          {error?.message}
        </Notice>
      )}
      {taken.map((flow) => (
        <UnfinishedSwapCard
          key={flow.id}
          flow={flow}
          onForget={async () => {
            await forget(flow.id)
            drop(flow.id)
          }}
          onDismiss={() => drop(flow.id)}
        />
      ))}
    </section>
  )
}
