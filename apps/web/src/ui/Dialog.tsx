/** A native dialog. It traps focus and closes on Esc. */
import { type ReactNode, useId, useLayoutEffect, useRef } from "react"
import { Icon } from "./Icon.js"
import { text } from "../language/language.js"

interface DialogProps {
  readonly title: string
  readonly open: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A modal dialog. Its children are mounted only while it is open. */
export const Dialog = ({ children, onClose, open, title }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  // Runs before other effects, because an element outside the dialog cannot receive focus while the dialog is open.
  useLayoutEffect(() => {
    if (open === dialog.current?.open) return
    if (open) {
      dialog.current?.showModal()
      heading.current?.focus()
    } else dialog.current?.close()
  }, [open])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // The browser may close the dialog even though the cancel event was prevented. By the time this event arrives,
      // the dialog may be open again.
      onClose={() => open && !dialog.current?.open && onClose()}
    >
      {open && (
        <>
          <div className="dialog-head">
            <h2 id={id} ref={heading} tabIndex={-1}>
              {title}
            </h2>
            <button type="button" className="plain" aria-label={text.page.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          </div>
          {children}
        </>
      )}
    </dialog>
  )
}
