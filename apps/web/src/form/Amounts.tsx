/** What is paid and what is received, in large figures. */
import { formatAmount } from "@geoswap/core/promise"
import type { ReactElement } from "react"
import { dollars, readable } from "../words/amounts.js"
import type { PageForm } from "./useForm.js"

/** The amount to pay, with the balance and its error. */
export const Paid = ({ form }: { readonly form: PageForm }): ReactElement => {
  const { balance, errors, inputToken, quote, set, setMax, values } = form
  const problem = errors.amount ?? errors.wallet
  return (
    <>
      <input
        className="amount"
        aria-label="Amount"
        aria-invalid={errors.amount !== undefined}
        aria-describedby="amount-error"
        inputMode="decimal"
        autoComplete="off"
        placeholder="0"
        value={values.amount}
        onChange={(event) => set("amount", event.target.value)}
      />
      <div className="leg-foot">
        <span>{problem === undefined && (dollars(quote.quote?.inputUsd) ?? "")}</span>
        <span className="balance">
          {problem === undefined && balance !== undefined && inputToken !== undefined && (
            <>Balance {readable(formatAmount(balance, inputToken.decimals))}</>
          )}
          <button type="button" className="max" disabled={balance === undefined} onClick={setMax}>
            Max
          </button>
        </span>
        <p className="field-error" id="amount-error" aria-live="polite">
          {problem}
        </p>
      </div>
    </>
  )
}

/** The amount that the price comes to. */
export const Received = ({ form }: { readonly form: PageForm }): ReactElement => {
  const { outputToken, quote, received } = form
  const output = quote.quote?.output
  const waiting = quote.status === "loading"
  return (
    <>
      <output className={waiting ? "amount skeleton" : "amount"} data-testid="output-amount" aria-label="You receive">
        {output === undefined || outputToken === undefined ? "0" : readable(formatAmount(output, outputToken.decimals))}
      </output>
      <div className="leg-foot">
        <span>{dollars(quote.quote?.outputUsd) ?? ""}</span>
        <span className="balance">
          {received !== undefined && outputToken !== undefined && (
            <>Balance {readable(formatAmount(received, outputToken.decimals))}</>
          )}
        </span>
      </div>
    </>
  )
}
