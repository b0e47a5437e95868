/** The recipient: a connected wallet or another address. */
import { type ReactElement, useEffect, useRef, useState } from "react"
import type { PageForm } from "./usePageForm.js"
import { text } from "../language/language.js"

/** A button that opens a field in which the user can enter an address. */
export const Recipient = ({ form }: { readonly form: PageForm }): ReactElement => {
  const { errors, set, values } = form
  const [other, setOther] = useState(values.recipient === "" ? undefined : "kept")
  const input = useRef<HTMLInputElement>(null)
  // Focuses the field that the button opened.
  useEffect(() => {
    if (other === "opened") input.current?.focus()
  }, [other])
  if (other === undefined) {
    return (
      <div className="recipient">
        <button type="button" className="link" onClick={() => setOther("opened")}>
          {text().form.otherRecipient}
        </button>
      </div>
    )
  }
  return (
    <div className="recipient recipient-other">
      <label>
        {text().form.recipient}
        <input
          ref={input}
          value={values.recipient}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={errors.recipient !== undefined}
          aria-describedby="recipient-error"
          placeholder={form.destination?.kind === "solana" ? text().form.solanaAddress : "0x…"}
          onChange={(event) => set("recipient", event.target.value)}
        />
      </label>
      <button
        type="button"
        className="link"
        onClick={() => {
          set("recipient", "")
          setOther(undefined)
        }}
      >
        {text().form.ownWallet}
      </button>
      <p className="field-error" id="recipient-error">
        {errors.recipient}
      </p>
    </div>
  )
}
