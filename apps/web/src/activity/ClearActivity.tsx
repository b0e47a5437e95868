/** Clears the list of finished swaps: asks first, and offers an export and an undo. */
import { type ReactElement, useEffect, useRef, useState } from "react"
import { usePage } from "../pageContext.js"
import { Dialog } from "../ui/Dialog.js"
import { download } from "../ui/download.js"
import { activityCsv } from "./activityCsv.js"
import type { Entry } from "./activityStore.js"

/** Saves the list as a CSV file. */
export const exportActivity = (entries: ReadonlyArray<Entry>): void =>
  download(`geoswap-${new Date().toISOString().slice(0, 10)}.csv`, "text/csv", activityCsv(entries))

const countOf = (count: number): string => (count === 1 ? "1 swap" : `${count} swaps`)

/** A button that clears the list, with its dialog. After that, a button that restores the list. */
export const ClearActivity = ({ entries }: { readonly entries: ReadonlyArray<Entry> }): ReactElement => {
  const { activity } = usePage()
  const [asking, setAsking] = useState(false)
  const [cleared, setCleared] = useState<ReadonlyArray<Entry>>([])
  const undo = useRef<HTMLButtonElement>(null)
  // The button that opened the dialog is gone.
  useEffect(() => undo.current?.focus(), [cleared])
  return (
    <>
      {entries.length > 0 && (
        <span className="history-actions">
          <button type="button" className="link" onClick={() => exportActivity(entries)}>
            Export
          </button>
          <button type="button" className="link" onClick={() => setAsking(true)}>
            Clear
          </button>
        </span>
      )}
      <p className="fine cleared" role="status">
        {cleared.length > 0 && entries.length === 0 && (
          <>
            Removed {countOf(cleared.length)}.{" "}
            <button
              ref={undo}
              type="button"
              className="link"
              onClick={() => {
                activity.restore(cleared)
                setCleared([])
              }}
            >
              Undo
            </button>
          </>
        )}
      </p>
      <Dialog title="Clear your activity?" open={asking} onClose={() => setAsking(false)}>
        <p>
          This removes {countOf(entries.length)} from this browser. This list is the only record that the page keeps, so
          export it first if you need it. The swaps themselves do not change.
        </p>
        <button type="button" className="link" onClick={() => exportActivity(entries)}>
          Export as CSV
        </button>
        <div className="dialog-foot actions">
          <button type="button" className="second" onClick={() => setAsking(false)}>
            Keep
          </button>
          <button
            type="button"
            className="main"
            onClick={() => {
              setCleared(entries)
              activity.clear()
              setAsking(false)
            }}
          >
            Clear
          </button>
        </div>
      </Dialog>
    </>
  )
}
