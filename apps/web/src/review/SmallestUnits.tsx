/** An amount as it is signed, in smallest units. */
import type { FormToken } from "@geoswap/react"
import type { ReactElement } from "react"
import { shortenAddress } from "../format/amounts.js"

interface SmallestUnitsProps {
  readonly amount: bigint
  /** The minimum that the signature binds, if it is lower. */
  readonly minimum?: bigint
  readonly token: Pick<FormToken, "address" | "native">
}

/** Shows the exact amount beside the formatted one. */
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
