/** Warns about tokens that the page does not pin. */
import type { ChainInfo } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import type { ReactElement } from "react"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import { Notice } from "../ui/Notice.js"
import { isPinned, type TokenOption } from "./tokenOptions.js"

interface Sides {
  readonly origin: ChainInfo | undefined
  readonly destination: ChainInfo | undefined
  readonly inputToken: FormToken | undefined
  readonly outputToken: FormToken | undefined
}

/** Shows the address of each token that the user added. */
export const UnpinnedNotice = ({ destination, inputToken, origin, outputToken }: Sides): ReactElement => {
  const { config } = usePage()
  const sides: ReadonlyArray<TokenOption | undefined> = [
    origin && inputToken && { chain: origin, token: inputToken },
    destination && outputToken && { chain: destination, token: outputToken }
  ]
  return (
    <>
      {sides.map(
        (side) =>
          side !== undefined &&
          !isPinned(config, side) && (
            <Notice key={side.token.address} tone="warning">
              <strong>{text().picker.unpinned(side.token.symbol)}</strong> {text().picker.unpinnedText}{" "}
              <code>{side.token.address}</code>
            </Notice>
          )
      )}
    </>
  )
}
