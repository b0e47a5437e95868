/** Clears the list of finished swaps: asks first, and offers an export and an undo. */
import { useEffect, useRef, useState } from "react"
import { formatInteger } from "../format/amounts.js"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import { ConfirmDialog } from "../ui/ConfirmDialog.js"
import { downloadCsv } from "./activityCsv.js"
import type { Entry } from "./activityStore.js"

const countOf = (count: number) => {
  const { one, other } = text.activity.count
  return count === 1 ? one : other(formatInteger(count))
}

/** A button that clears the list, with its dialog. After that, a button that restores the list. */
export const ClearActivity = ({ entries }: { readonly entries: ReadonlyArray<Entry> }) => {
  const { activity } = usePage()
  const { activity: words } = text
  const [asking, setAsking] = useState(false)
  const [cleared, setCleared] = useState<ReadonlyArray<Entry>>([])
  const undo = useRef<HTMLButtonElement>(null)
  // The button that opened the dialog is gone.
  useEffect(() => undo.current?.focus(), [cleared])
  return (
    <>
      {entries.length > 0 && (
        <span className="history-actions">
          <button type="button" className="link" onClick={() => downloadCsv(entries)}>
            {words.export}
          </button>
          <button type="button" className="link" onClick={() => setAsking(true)}>
            {words.clear}
          </button>
        </span>
      )}
      <p className="fine cleared" role="status">
        {cleared.length > 0 && entries.length === 0 && (
          <>
            {words.removed(countOf(cleared.length))}{" "}
            <button
              ref={undo}
              type="button"
              className="link"
              onClick={() => {
                activity.add(...cleared)
                setCleared([])
              }}
            >
              {words.undo}
            </button>
          </>
        )}
      </p>
      <ConfirmDialog
        title={words.clearTitle}
        open={asking}
        buttons={[words.keep, words.clear]}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setCleared(entries)
          activity.clear()
          setAsking(false)
        }}
      >
        <p>{words.clearText(countOf(entries.length))}</p>
        <button type="button" className="link" onClick={() => downloadCsv(entries)}>
          {words.exportCsv}
        </button>
      </ConfirmDialog>
    </>
  )
}
