/** Asks the user to confirm a worse price or a larger loss, after the user has already confirmed the swap. */
import type { FormToken } from "@geoswap/react"
import { text } from "../language/language.js"
import type { Question } from "./consent.js"
import { PriceChange } from "./PriceChange.js"
import { isLess } from "./requoteRule.js"
import { useConsents } from "./useConsents.js"

interface RequotePromptProps {
  readonly question: Question
  readonly token: FormToken
}

/** Shows the question. Going back declines the new price. */
export const RequotePrompt = ({ question, token }: RequotePromptProps) => {
  const { answer, offered, previous } = question
  const { checks, isMissing, lossBps } = useConsents(offered, token)
  const { review: words } = text
  return (
    <>
      <p>{isLess(previous, offered) ? words.requoteWorse : words.requoteCosts}</p>
      {checks}
      <PriceChange
        previous={previous}
        offered={offered}
        token={token}
        disabled={isMissing}
        onAccept={() => answer(true, lossBps)}
      />
      <div className="dialog-foot actions">
        <button type="button" className="second" onClick={() => answer(false)}>
          {words.back}
        </button>
      </div>
    </>
  )
}
