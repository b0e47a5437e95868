/** An amount as it is signed: in smallest units of a token contract. */
import type { FormToken } from "@geoswap/react"
import type { ReactElement } from "react"
import { shortenAddress } from "../format/amounts.js"

interface SmallestUnitsProps {
  readonly amount: bigint
  /** The least of it that the signature binds, where that is less. */
  readonly minimum?: bigint
  readonly token: Pick<FormToken, "address" | "native">
}

/** The exact amount beside the one for people. */
export const SmallestUnits = ({ amount, minimum, token: { address, native } }: SmallestUnitsProps): ReactElement => (
  <p className="units">
    <code>{`${amount}`}</code> smallest units
    {native !== true && (
      <>
        {" of "}
        <code title={address}>{shortenAddress(address)}</code>
      </>
    )}
    {minimum !== undefined && (
      <>
        , at least <code>{`${minimum}`}</code>
      </>
    )}
  </p>
)
