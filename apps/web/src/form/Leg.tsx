/** One side of the swap: a chain, a token and an amount. */
import type { ChainInfo } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import type { ReactElement, ReactNode } from "react"
import { Select } from "../ui/Select.js"
import { text } from "../language/language.js"

interface LegProps {
  readonly side: "from" | "to"
  readonly chains: ReadonlyArray<ChainInfo>
  readonly chain: number | undefined
  readonly tokens: ReadonlyArray<FormToken>
  readonly token: string | undefined
  readonly onChain: (chain: number) => void
  readonly onToken: (token: string) => void
  /** The wallet or address, shown next to the title. */
  readonly who: ReactNode
  readonly children: ReactNode
}

/** Shows one side of the form: the origin or the destination. */
export const Leg = (props: LegProps): ReactElement => {
  const { chain, chains, children, onChain, onToken, side, token, tokens, who } = props
  const { form } = text()
  return (
    <div className={`leg leg-${side}`}>
      <span className="pin" aria-hidden="true" />
      <div className="leg-head">
        <h2>{form[side]}</h2>
        <span className="who">{who}</span>
      </div>
      <div className="picks">
        <Select
          label={form[`${side}Chain`]}
          square
          value={chain === undefined ? undefined : `${chain}`}
          options={chains.map(({ id, name }) => ({ value: `${id}`, text: name }))}
          onChange={(value) => onChain(Number(value))}
        />
        <Select
          label={form[`${side}Token`]}
          value={token}
          options={tokens.map(({ address, symbol }) => ({ value: address, text: symbol }))}
          onChange={onToken}
        />
      </div>
      {children}
    </div>
  )
}
