/** An amount as it is signed, in the token's smallest unit. */
import type { FormToken } from "@geoswap/react"
import { formatAddress, shortenAddress } from "../format/amounts.js"
import { text } from "../language/language.js"

interface SmallestUnitsProps {
  readonly amount: bigint
  /** The minimum that the signature commits to, if this minimum is lower than the amount. */
  readonly minimum?: bigint
  readonly token: Pick<FormToken, "address" | "native">
}

/** Shows the exact amount next to the formatted one. */
export const SmallestUnits = ({ amount, minimum, token: { address, native } }: SmallestUnitsProps) => (
  <p className="units">
    <code>{`${amount}`}</code> {text.review.units}
    {native !== true && (
      <>
        {` ${text.review.of} `}
        <code title={formatAddress(address)}>{shortenAddress(address)}</code>
      </>
    )}
    {minimum !== undefined && (
      <>
        , {text.review.atLeast} <code>{`${minimum}`}</code>
      </>
    )}
  </p>
)
