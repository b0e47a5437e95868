/** A dialog that asks before something is done. */
import type { ReactNode } from "react"
import { Dialog } from "./Dialog.js"

interface ConfirmDialogProps {
  readonly title: string
  readonly open: boolean
  /** The buttons: what cancels, and what confirms. */
  readonly buttons: readonly [cancel: string, confirm: string]
  readonly onCancel: () => void
  readonly onConfirm: () => void
  readonly children: ReactNode
}

/** Asks the question that its children describe. */
export const ConfirmDialog = ({ buttons, children, onCancel, onConfirm, open, title }: ConfirmDialogProps) => (
  <Dialog title={title} open={open} onClose={onCancel}>
    {children}
    <div className="dialog-foot actions">
      <button type="button" className="second" onClick={onCancel}>
        {buttons[0]}
      </button>
      <button type="button" className="main" onClick={onConfirm}>
        {buttons[1]}
      </button>
    </div>
  </Dialog>
)
