/** The amounts in the form: what you pay and what you receive. */
import { formatAmount } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import { useState } from "react"
import {
  balanceDigits,
  formatDecimal,
  formatDollars,
  formatExactDecimal,
  formatPercent,
  formatTokenAmount,
  formatUsd,
  isDollarFirst
} from "../format/amounts.js"
import { text } from "../language/language.js"
import { Icon } from "../ui/Icon.js"
import { toLocalAmount, toPlainAmount } from "./localAmount.js"
import type { DollarInput } from "./useDollarInput.js"
import type { PageForm } from "./usePageForm.js"

/** Formats a balance, shortened, with the exact one as its title. */
const balanceText = (units: bigint | undefined, token: FormToken | undefined, loading: boolean) => {
  if (units === undefined || token === undefined) return loading && text.form.balance("…")
  const exact = formatAmount(units, token.decimals)
  return (
    <span className="number" title={formatExactDecimal(exact)}>
      {text.form.balance(formatDecimal(exact, balanceDigits))}
    </span>
  )
}

interface AmountProps {
  readonly form: PageForm
}

interface PayProps extends AmountProps {
  readonly dollars: DollarInput
}

/** The class of an amount in the field: the longer it is, the smaller are its digits. */
const classOf = (shown: string) => {
  if (shown.length < 10) return "amount"
  return `amount amount-${shown.length < 17 ? "long" : shown.length < 23 ? "longer" : "longest"}`
}

/** The amount to pay. */
export const PayAmount = ({ dollars, form }: PayProps) => {
  const { errors, set, values } = form
  // What the user typed, in the reader's locale.
  const [typed, setTyped] = useState("")
  const shown = dollars.isOn
    ? dollars.shown
    : toPlainAmount(typed) === values.amount
      ? typed
      : toLocalAmount(values.amount)
  const field = (
    <input
      className={classOf(shown)}
      aria-label={dollars.isOn ? text.form.amountInDollars : text.form.amount}
      aria-invalid={errors.amount !== undefined}
      aria-describedby="amount-error"
      inputMode="decimal"
      autoComplete="off"
      placeholder="0"
      value={shown}
      onChange={(event) => {
        if (dollars.isOn) return dollars.enter(event.target.value)
        setTyped(event.target.value)
        set("amount", toPlainAmount(event.target.value))
      }}
    />
  )
  if (!dollars.isOn) return field
  const sign = (
    <span className={classOf(shown)} aria-hidden="true">
      $
    </span>
  )
  return (
    <span className="dollar-amount">
      {isDollarFirst() && sign}
      {field}
      {!isDollarFirst() && sign}
    </span>
  )
}

/** What is wrong with the amount. The amounts that it suggests are buttons. */
const AmountProblem = ({ dollars, form, text: problem }: PayProps & { readonly text: string }) => {
  const { suggestions = [] } = form
  if (suggestions.length === 0) return <>{problem}</>
  const parts = problem.split(new RegExp(`(${suggestions.map(toLocalAmount).join("|").replaceAll(".", "\\.")})`))
  return (
    <>
      {parts.map((part) => {
        const amount = suggestions.find((suggested) => toLocalAmount(suggested) === part)
        if (amount === undefined) return part
        return (
          <button
            key={part}
            type="button"
            className="link suggestion"
            onClick={() => (dollars.isOn ? dollars.enter(part) : form.set("amount", amount))}
          >
            {part}
          </button>
        )
      })}
    </>
  )
}

/** The value and the balance of what is paid, and any error in the amount. */
export const PayFoot = ({ dollars, form }: PayProps) => {
  const { amount, balance, balancesLoading, errors, inputToken, price, setShare } = form
  const problem = errors.amount
  // The message about the balance replaces the balance, not the value.
  const exceeds = problem !== undefined && amount !== undefined
  const value = formatUsd(price?.inputUsd) ?? (dollars.value === undefined ? "" : formatDollars(dollars.value))
  return (
    <div className="leg-foot">
      <span>
        {(problem === undefined || exceeds) &&
          (dollars.toggle === undefined ? (
            value
          ) : (
            <button type="button" className="turn" title={text.form.dollars} onClick={dollars.toggle}>
              <span className="number">
                {dollars.isOn && inputToken ? formatTokenAmount(amount ?? 0n, inputToken) : value}
              </span>
              <Icon name="turn" />
            </button>
          ))}
      </span>
      <span className="balance">
        {problem === undefined && balanceText(balance, inputToken, balancesLoading.payer)}
      </span>
      <span className="shares" role="group" aria-label={text.form.shares}>
        {[25, 50, 75, 100].map((percent) => (
          <button
            key={percent}
            type="button"
            className="max"
            disabled={balance === undefined}
            onClick={() => setShare(percent)}
          >
            {percent === 100 ? text.form.max : formatPercent(percent * 100)}
          </button>
        ))}
      </span>
      <p className={exceeds ? "field-error field-error-balance" : "field-error"} id="amount-error" aria-live="polite">
        {problem !== undefined && <AmountProblem text={problem} dollars={dollars} form={form} />}
      </p>
    </div>
  )
}

/** The quoted output. */
export const ReceiveAmount = ({ form }: AmountProps) => {
  const { outputToken, price, quote } = form
  const exact = price && outputToken && formatAmount(price.output, outputToken.decimals)
  return (
    <output
      className={quote.phase === "loading" ? "amount skeleton" : "amount"}
      data-testid="output-amount"
      aria-label={text.form.receive}
      title={exact && formatExactDecimal(exact)}
    >
      {exact === undefined ? "0" : formatDecimal(exact)}
    </output>
  )
}

/** The value of the output, and the balance of the wallet that receives it. */
export const ReceiveFoot = ({ form }: AmountProps) => {
  const { balancesLoading, outputToken, price, receiverBalance } = form
  return (
    <div className="leg-foot">
      <span>{formatUsd(price?.outputUsd) ?? ""}</span>
      <span className="balance" data-testid="to-balance">
        {balanceText(receiverBalance, outputToken, balancesLoading.receiver)}
      </span>
    </div>
  )
}
