/** One side of the swap: a token on a chain and an amount. */
import type { ChainInfo } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import type { ReactNode } from "react"
import { text } from "../language/language.js"
import { TokenButton } from "../tokens/TokenButton.js"
import type { Side, TokenOption } from "../tokens/tokenOptions.js"

interface LegProps {
  readonly side: Side
  readonly chains: ReadonlyArray<ChainInfo>
  readonly chain: ChainInfo | undefined
  readonly token: FormToken | undefined
  readonly onPick: (option: TokenOption) => void
  /** The wallet or address, shown next to the title. */
  readonly who: ReactNode
  /** The amount, shown next to the token. */
  readonly amount: ReactNode
  readonly children: ReactNode
}

/** Shows one side of the form: the origin or the destination. */
export const Leg = ({ amount, chain, chains, children, onPick, side, token, who }: LegProps) => (
  <div className={`leg leg-${side}`}>
    <span className="pin" aria-hidden="true" />
    <div className="leg-head">
      <h2>{text.form[side]}</h2>
      <span className="who">{who}</span>
    </div>
    <div className="leg-row">
      {amount}
      <TokenButton side={side} chains={chains} current={chain && token && { chain, token }} onPick={onPick} />
    </div>
    {children}
  </div>
)
