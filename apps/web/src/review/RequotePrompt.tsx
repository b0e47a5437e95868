/** Asks the user to confirm a worse price or a larger loss, after the user has already confirmed the swap. */
import type { FormToken } from "@geoswap/react"
import { isHighCost, slippageRisk } from "@geoswap/core/promise"
import { type ReactElement, useState } from "react"
import { usePage } from "../pageContext.js"
import { isLess } from "./requoteRule.js"
import type { Question } from "./consent.js"
import { lossBound } from "./lossConsent.js"
import { LossCheck } from "./LossCheck.js"
import { PriceChange } from "./PriceChange.js"
import { SlippageCheck } from "./SlippageCheck.js"
import { text } from "../language/language.js"

interface RequotePromptProps {
  readonly question: Question
  readonly token: FormToken
}

/** Shows the question. Going back declines the new price. */
export const RequotePrompt = ({ question, token }: RequotePromptProps): ReactElement => {
  const { config } = usePage()
  const [consented, setConsented] = useState<Question>()
  const [risked, setRisked] = useState<Question>()
  const { answer, offered, previous } = question
  const high = isHighCost(offered, config.highCostBps)
  // The consent applies only to the current question, because another question may replace it.
  const accepted = consented === question
  const risk = slippageRisk(offered)
  return (
    <>
      <p>{isLess(previous, offered) ? text().review.requoteWorse : text().review.requoteCosts}</p>
      {high && (
        <LossCheck
          quote={offered}
          checked={accepted}
          onChange={(loss) => setConsented(loss === undefined ? undefined : question)}
        />
      )}
      {risk.isHigh && (
        <SlippageCheck
          risk={risk}
          token={token}
          checked={risked === question}
          onChange={(minimum) => setRisked(minimum === undefined ? undefined : question)}
        />
      )}
      <PriceChange
        previous={previous}
        offered={offered}
        token={token}
        disabled={(high && !accepted) || (risk.isHigh && risked !== question)}
        onAccept={() => answer(true, high ? lossBound(offered) : undefined)}
      />
      <div className="dialog-foot actions">
        <button type="button" className="second" onClick={() => answer(false)}>
          {text().review.back}
        </button>
      </div>
    </>
  )
}
