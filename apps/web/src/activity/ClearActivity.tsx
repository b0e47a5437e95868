/** Clears the list of finished swaps: asks first, and offers an export and an undo. */
import { useEffect, useRef, useState } from "react"
import { formatInteger } from "../format/amounts.js"
import { usePage } from "../pageContext.js"
import { Dialog } from "../ui/Dialog.js"
import { download } from "../ui/download.js"
import { activityCsv } from "./activityCsv.js"
import type { Entry } from "./activityStore.js"
import { text } from "../language/language.js"

/** Saves the list as a CSV file. */
const exportActivity = (entries: ReadonlyArray<Entry>): void =>
  download(`geoswap-${new Date().toISOString().slice(0, 10)}.csv`, "text/csv", activityCsv(entries))

const countOf = (count: number): string => {
  const { one, other } = text.activity.count
  return count === 1 ? one : other(formatInteger(count))
}

/** A button that clears the list, with its dialog. After that, a button that restores the list. */
export const ClearActivity = ({ entries }: { readonly entries: ReadonlyArray<Entry> }) => {
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
            {text.activity.export}
          </button>
          <button type="button" className="link" onClick={() => setAsking(true)}>
            {text.activity.clear}
          </button>
        </span>
      )}
      <p className="fine cleared" role="status">
        {cleared.length > 0 && entries.length === 0 && (
          <>
            {text.activity.removed(countOf(cleared.length))}{" "}
            <button
              ref={undo}
              type="button"
              className="link"
              onClick={() => {
                activity.restore(cleared)
                setCleared([])
              }}
            >
              {text.activity.undo}
            </button>
          </>
        )}
      </p>
      <Dialog title={text.activity.clearTitle} open={asking} onClose={() => setAsking(false)}>
        <p>{text.activity.clearText(countOf(entries.length))}</p>
        <button type="button" className="link" onClick={() => exportActivity(entries)}>
          {text.activity.exportCsv}
        </button>
        <div className="dialog-foot actions">
          <button type="button" className="second" onClick={() => setAsking(false)}>
            {text.activity.keep}
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
            {text.activity.clear}
          </button>
        </div>
      </Dialog>
    </>
  )
}
