/** The address of a name in the recipient field. It is used only after the user has seen it and confirmed it. */
import type { ChainInfo } from "@geoswap/core/promise"
import { useQuery } from "@tanstack/react-query"
import { type ReactElement, useEffect, useState } from "react"
import { text } from "../language/language.js"
import { Hash } from "../ui/Hash.js"
import { lookUpName } from "./lookUpName.js"

/** How long to wait after the last keystroke. */
const pauseMillis = 400

interface NamedRecipientProps {
  readonly name: string
  readonly chain: ChainInfo
  readonly onUse: (address: string, name: string) => void
}

/** Looks up the name, and offers its address. */
export const NamedRecipient = ({ chain, name, onUse }: NamedRecipientProps): ReactElement => {
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
  const { names: words } = text()
  if (isError || (data !== undefined && "problem" in data && data.problem === "failed")) {
    return (
      <p className="field-error" role="alert">
        {words.failed(name)}{" "}
        <button type="button" className="link" onClick={() => void refetch()}>
          {words.again}
        </button>
      </p>
    )
  }
  if (data === undefined) return <p className="fine">{words.lookingUp(name)}</p>
  if ("problem" in data) {
    return (
      <p className="field-error" role="alert">
        {data.problem === "invalid" ? words.invalid(name) : words.notFound(name, chain.name)}
      </p>
    )
  }
  return (
    <div className="named" role="status">
      <p>{words.found(data.name, chain.name)}</p>
      <Hash what={words.address} value={data.address} full />
      {data.source === "ethereum" && <p className="warning-text">{words.ethereum(chain.name)}</p>}
      <button type="button" className="second" onClick={() => onUse(data.address, data.name)}>
        {words.use}
      </button>
    </div>
  )
}
