/** The error shown if a wallet's delegation could not be read. */
import { ErrorNotice } from "../ui/Notice.js"
import { describeError } from "../format/describeError.js"
import type { PageForm } from "./usePageForm.js"
import { text } from "../language/language.js"

/** Shows the error and a retry button, or nothing if there is no error. */
export const DelegationError = ({ form }: { readonly form: PageForm }) =>
  form.delegationError && (
    <div>
      <ErrorNotice {...describeError(form.delegationError)} />
      <button type="button" className="link" onClick={form.refetchDelegation}>
        {text.form.checkDelegation}
      </button>
    </div>
  )
