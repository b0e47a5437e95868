/** Why it is not known whether a wallet has to delegate first, and a way to ask again. */
import type { ReactElement } from "react"
import { ErrorNotice } from "../ui/Notice.js"
import { describeError } from "../format/describeError.js"
import type { PageForm } from "./usePageForm.js"

/** The error, where there is one. */
export const DelegationError = ({ form }: { readonly form: PageForm }): ReactElement | null =>
  form.delegationError && (
    <div>
      <ErrorNotice {...describeError(form.delegationError)} />
      <button type="button" className="link" onClick={form.refetchDelegation}>
        Ask again about the delegation
      </button>
    </div>
  )
