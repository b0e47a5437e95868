/** What is paid and what is received, in large figures. */
import { formatAmount } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import type { ReactElement } from "react"
import { dollars, readable } from "../words/amounts.js"
import type { PageForm } from "./useForm.js"

interface HeldProps {
  readonly units: bigint | undefined
  readonly token: FormToken | undefined
  readonly reading: boolean
}

/** A balance, or that it is being read. */
const Held = ({ reading, token, units }: HeldProps): ReactElement | null => {
  if (units !== undefined && token !== undefined) return <>Balance {readable(formatAmount(units, token.decimals))}</>
  return reading ? <>Balance …</> : null
}

/** The amount to pay, with the balance and its error. */
export const Paid = ({ form }: { readonly form: PageForm }): ReactElement => {
  const { balance, errors, inputToken, quote, reading, set, setMax, values } = form
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
          {problem === undefined && <Held units={balance} token={inputToken} reading={reading.paid} />}
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
  const { outputToken, quote, reading, received } = form
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
          <Held units={received} token={outputToken} reading={reading.received} />
        </span>
      </div>
    </>
  )
}
