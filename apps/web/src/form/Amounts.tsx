/** The amounts in the form: what you pay and what you receive. */
import { formatAmount } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import { type ReactElement, useState } from "react"
import { formatDecimal, formatExactDecimal, formatUsd } from "../format/amounts.js"
import { toLocalAmount, toPlainAmount } from "./localAmount.js"
import type { PageForm } from "./usePageForm.js"
import { text } from "../language/language.js"

interface BalanceProps {
  readonly units: bigint | undefined
  readonly token: FormToken | undefined
  readonly loading: boolean
}

const Balance = ({ loading, token, units }: BalanceProps): ReactElement | null => {
  if (units !== undefined && token !== undefined) {
    const exact = formatAmount(units, token.decimals)
    return (
      <span className="number" title={formatExactDecimal(exact)}>
        {text().form.balance(formatDecimal(exact))}
      </span>
    )
  }
  return loading ? <>{text().form.balance("…")}</> : null
}

/** The amount to pay, with the balance and any field error. */
export const PayAmount = ({ form }: { readonly form: PageForm }): ReactElement => {
  const { balance, balancesLoading, errors, inputToken, quote, set, setMax, values } = form
  // What the user typed, in the reader's locale.
  const [typed, setTyped] = useState("")
  const problem = errors.amount ?? errors.wallet
  return (
    <>
      <input
        className="amount"
        aria-label={text().form.amount}
        aria-invalid={errors.amount !== undefined}
        aria-describedby="amount-error"
        inputMode="decimal"
        autoComplete="off"
        placeholder="0"
        value={toPlainAmount(typed) === values.amount ? typed : toLocalAmount(values.amount)}
        onChange={(event) => {
          setTyped(event.target.value)
          set("amount", toPlainAmount(event.target.value))
        }}
      />
      <div className="leg-foot">
        <span>{problem === undefined && (formatUsd(quote.data?.inputUsd) ?? "")}</span>
        <span className="balance">
          {problem === undefined && <Balance units={balance} token={inputToken} loading={balancesLoading.payer} />}
          <button type="button" className="max" disabled={balance === undefined} onClick={setMax}>
            {text().form.max}
          </button>
        </span>
        <p className="field-error" id="amount-error" aria-live="polite">
          {problem}
        </p>
      </div>
    </>
  )
}

/** The quoted output. */
export const ReceiveAmount = ({ form }: { readonly form: PageForm }): ReactElement => {
  const { balancesLoading, outputToken, quote, receiverBalance } = form
  const output = quote.data?.output
  const exact = output === undefined || outputToken === undefined ? undefined : formatAmount(output, outputToken.decimals)
  const loading = quote.phase === "loading"
  return (
    <>
      <output className={loading ? "amount skeleton" : "amount"} data-testid="output-amount" aria-label={text().form.receive} title={exact && formatExactDecimal(exact)}>
        {exact === undefined ? "0" : formatDecimal(exact)}
      </output>
      <div className="leg-foot">
        <span>{formatUsd(quote.data?.outputUsd) ?? ""}</span>
        <span className="balance" data-testid="to-balance">
          <Balance units={receiverBalance} token={outputToken} loading={balancesLoading.receiver} />
        </span>
      </div>
    </>
  )
}
