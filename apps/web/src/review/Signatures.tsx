/** What the user signs. */
import { minOutputOf } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import { formatAddress } from "../format/amounts.js"
import { text } from "../language/language.js"
import { describeSignatures, describeSwitch, type Terms } from "./describeSignatures.js"
import { SmallestUnits } from "./SmallestUnits.js"

const address = /(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})/

interface SignaturesProps {
  readonly terms: Terms & { readonly input: FormToken; readonly output: FormToken }
}

/** Lists the signatures, and the amounts as they are signed. */
export const Signatures = ({ terms }: SignaturesProps) => {
  const { review: words } = text
  const signatures = describeSignatures(terms)
  const switching = describeSwitch(terms)
  const title = signatures.length === 1 ? "signOnce" : terms.prompts ? "signTwice" : "signTwiceAtOnce"
  return (
    <section className="signatures" aria-label={words.whatYouSign}>
      <h3>{words[title]}</h3>
      <ol>
        {signatures.map(({ shown, text: description, title }) => (
          <li key={title}>
            <strong>{title}.</strong>{" "}
            {description
              .split(address)
              .map((part, at) => (at % 2 === 1 ? <code key={part}>{formatAddress(part)}</code> : part))}
            {shown !== undefined && <p className="shown">{shown}</p>}
          </li>
        ))}
      </ol>
      {switching !== undefined && <p className="shown">{switching}</p>}
      <SmallestUnits amount={terms.amount} token={terms.input} />
      <SmallestUnits amount={terms.quote.output} minimum={minOutputOf(terms.quote)} token={terms.output} />
    </section>
  )
}
