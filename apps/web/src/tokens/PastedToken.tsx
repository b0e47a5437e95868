/** A pasted address that the page does not list. Its symbol and decimals are read through the connected wallet. */
import { Chain } from "@geoswap/core"
import type { ChainInfo } from "@geoswap/core/promise"
import { useChains } from "@geoswap/react"
import { type ReactElement, useState } from "react"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import type { TokenOption } from "./tokenOptions.js"

interface PastedTokenProps {
  readonly address: string
  /** The chains that the form offers. */
  readonly chains: ReadonlyArray<ChainInfo>
  readonly onPick: (option: TokenOption) => void
}

/** Offers to read the token, on each chain on which the service trades it. */
export const PastedToken = ({ address, chains, onPick }: PastedTokenProps): ReactElement => {
  const { addToken, wallets } = usePage()
  const { data: listed = [] } = useChains()
  const [problem, setProblem] = useState<string>()
  const { picker } = text()
  const wallet = wallets.evm
  // The service's list says only whether it trades the token, and where.
  const traded = chains.filter(
    ({ id, kind }) =>
      kind === "evm" &&
      listed.some(
        (chain) => chain.id === id && chain.tokens.some((token) => Chain.sameAddress(kind, token.address, address))
      )
  )
  const read = async (chain: ChainInfo) => {
    const answer = await wallet?.readToken?.(chain.id, address).catch(() => ({ problem: "not a token" as const }))
    if (answer === undefined) return
    if ("problem" in answer) {
      return setProblem(answer.problem === "network" ? picker.otherNetwork(chain.name) : picker.notAToken(chain.name))
    }
    const token = { address, symbol: answer.symbol, decimals: answer.decimals }
    addToken({ ...token, chainId: chain.id })
    onPick({ chain, token })
  }
  if (traded.length === 0) return <p className="fine">{picker.notTraded}</p>
  if (wallet?.readToken === undefined) return <p className="fine">{picker.needsWallet}</p>
  return (
    <div className="pasted">
      <p className="fine">{picker.unlisted}</p>
      {traded.map((chain) => (
        <button key={chain.id} type="button" className="second" onClick={() => void read(chain)}>
          {picker.readThrough(chain.name, wallet.name)}
        </button>
      ))}
      <p className="field-error" role="alert">
        {problem}
      </p>
    </div>
  )
}
