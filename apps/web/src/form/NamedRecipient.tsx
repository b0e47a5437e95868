/** The address of a name in the recipient field. It is used only after the user has seen it and confirmed it. */
import type { ChainInfo } from "@geoswap/core/promise"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useEffect, useState } from "react"
import { text } from "../language/language.js"
import { Hash } from "../ui/Hash.js"
import { lookUpName } from "./lookUpName.js"

/** How long to wait after the last keystroke. */
const pauseMillis = 400

interface FoundNameProps {
  readonly name: string
  readonly address: string
  /** The name of the chain. */
  readonly chain: string
  readonly onUse: (address: string, name: string) => void
  readonly children?: ReactNode
}

/** Shows the address of a name, and a button to use it. */
export const FoundName = ({ address, chain, children, name, onUse }: FoundNameProps) => (
  <div className="named" role="status">
    <p>{text.names.found(name, chain)}</p>
    <Hash what={text.wallets.address} value={address} full />
    {children}
    <button type="button" className="second" onClick={() => onUse(address, name)}>
      {text.names.use}
    </button>
  </div>
)

interface NamedRecipientProps {
  readonly name: string
  readonly chain: ChainInfo
  readonly onUse: (address: string, name: string) => void
}

/** Looks up the name, and offers its address. */
export const NamedRecipient = ({ chain, name, onUse }: NamedRecipientProps) => {
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(name), pauseMillis)
    return () => clearTimeout(timer)
  }, [name])
  const { data, isError, refetch } = useQuery({
    queryKey: ["name", chain.id, name],
    queryFn: ({ signal }) => lookUpName(chain, name, signal),
    enabled: settled === name,
    retry: 1
  })
  const { names: words } = text
  if (!isError && data && !("problem" in data)) {
    return (
      <FoundName name={data.name} address={data.address} chain={chain.name} onUse={onUse}>
        {data.source === "ethereum" && <p className="warning-text">{words.ethereum(chain.name)}</p>}
      </FoundName>
    )
  }
  const problem = isError ? "failed" : data && "problem" in data ? data.problem : undefined
  if (problem === undefined) return <p className="fine">{words.lookingUp(name)}</p>
  return (
    <p className="field-error" role="alert">
      {words[problem](name, chain.name)}{" "}
      {problem === "failed" && (
        <button type="button" className="link" onClick={() => void refetch()}>
          {words.again}
        </button>
      )}
    </p>
  )
}
