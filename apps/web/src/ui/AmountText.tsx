/** An amount of a token, shortened to what is meaningful, with the exact amount on demand. */
import { formatAmount } from "@geoswap/core/promise"
import { useState } from "react"
import { formatExactAmount, formatExactDecimal, formatTokenAmount } from "../format/amounts.js"
import { text } from "../language/language.js"

interface AmountTextProps {
  readonly amount: bigint
  readonly token: { readonly decimals: number; readonly symbol: string }
}

/** Shows the amount. If digits are left out, the amount is a button that shows all of them. */
export const AmountText = ({ amount, token }: AmountTextProps) => {
  const [isExact, setExact] = useState(false)
  const [short, exact] = [formatTokenAmount(amount, token), formatExactAmount(amount, token)]
  if (short === exact) return <span className="number">{exact}</span>
  return (
    <button
      type="button"
      className={isExact ? "exact exact-shown" : "exact"}
      aria-pressed={isExact}
      title={isExact ? text.page.shorten : exact}
      onClick={() => setExact(!isExact)}
    >
      {isExact ? (
        <>
          <span className="number">{formatExactDecimal(formatAmount(amount, token.decimals))}</span> {token.symbol}
        </>
      ) : (
        short
      )}
      <span className="visually-hidden">, {isExact ? text.page.exactAmount : text.page.showExact}</span>
    </button>
  )
}
