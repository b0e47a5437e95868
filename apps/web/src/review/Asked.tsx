/** The question about a price that got worse after the person had confirmed. */
import type { FormToken } from "@geoswap/react"
import { type ReactElement, useState } from "react"
import { usePage } from "../page.js"
import type { Question } from "./consent.js"
import { isHigh } from "./impact.js"
import { LossCheck } from "./LossCheck.js"
import { PriceMoved } from "./PriceMoved.js"

interface AskedProps {
  readonly question: Question
  readonly token: FormToken
}

/** Asks, and answers for whoever goes back. */
export const Asked = ({ question, token }: AskedProps): ReactElement => {
  const { config } = usePage()
  const [consented, setConsented] = useState(false)
  const { answer, offered, previous } = question
  const high = isHigh(offered, config.highImpactBps ?? 300)
  return (
    <>
      <p>The price ran out before it was signed, and the new one is worse than what you agreed to.</p>
      {high && <LossCheck quote={offered} checked={consented} onChange={(loss) => setConsented(loss !== undefined)} />}
      <PriceMoved
        previous={previous}
        offered={offered}
        token={token}
        disabled={high && !consented}
        onAccept={() => answer(true)}
      />
      <div className="dialog-foot actions">
        <button type="button" className="second" onClick={() => answer(false)}>
          Back
        </button>
      </div>
    </>
  )
}
