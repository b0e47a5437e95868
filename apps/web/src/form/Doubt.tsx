/** Why it is not known whether a wallet has to delegate first, and a way to ask again. */
import type { ReactElement } from "react"
import { Problem } from "../ui/Notice.js"
import { explain } from "../words/errors.js"
import type { PageForm } from "./useForm.js"

/** The error, where there is one. */
export const Doubt = ({ form }: { readonly form: PageForm }): ReactElement | null =>
  form.doubt && (
    <div>
      <Problem {...explain(form.doubt)} />
      <button type="button" className="link" onClick={form.recheck}>
        Ask again about the delegation
      </button>
    </div>
  )
