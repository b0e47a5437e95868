/** An amount as it is signed: in smallest units of a token contract. */
import type { FormToken } from "@geoswap/react"
import type { ReactElement } from "react"
import { short } from "../words/amounts.js"

interface UnitsProps {
  readonly amount: bigint
  /** The least of it that the signature binds, where that is less. */
  readonly minimum?: bigint
  readonly token: Pick<FormToken, "address" | "native">
}

/** The exact amount beside the one for people. */
export const Units = ({ amount, minimum, token: { address, native } }: UnitsProps): ReactElement => (
  <p className="units">
    <code>{`${amount}`}</code> smallest units
    {native !== true && (
      <>
        {" of "}
        <code title={address}>{short(address)}</code>
      </>
    )}
    {minimum !== undefined && (
      <>
        , at least <code>{`${minimum}`}</code>
      </>
    )}
  </p>
)
