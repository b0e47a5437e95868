/** The delegations of the connected EVM wallet, one for each chain, and a button that removes them. */
import { useDelegation, useGeoswap } from "@geoswap/react"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import type { Config } from "../config.js"
import { describeError } from "../format/describeError.js"
import { text } from "../language/language.js"
import { usePage } from "../pageContext.js"
import { Hash } from "../ui/Hash.js"
import { ErrorNotice } from "../ui/Notice.js"
import type { EvmWallet } from "./Wallet.js"

interface DelegationRowProps {
  readonly chain: Config["chains"][number]
  readonly wallet: EvmWallet
}

const DelegationRow = ({ chain, wallet }: DelegationRowProps) => {
  const client = useGeoswap()
  const { data, refetch } = useDelegation({ chainId: chain.id, walletAddress: wallet.address })
  const removal = useMutation({
    mutationFn: () => client.undelegate({ chainId: chain.id, walletAddress: wallet.address }),
    onSettled: () => void refetch(),
    networkMode: "always"
  })
  const words = text.delegations
  const isDelegated = data?.delegated === true || data?.delegatedTo !== undefined
  return (
    <li>
      <span className="delegation-chain">{chain.name}</span>
      {data === undefined ? (
        <span className="fine">{words.reading}</span>
      ) : !isDelegated ? (
        <span className="fine">{words.none}</span>
      ) : (
        <>
          <span className="fine">
            {data.delegated ? words.here : words.elsewhere}{" "}
            {data.delegatedTo !== undefined && <Hash what={words.contract} value={data.delegatedTo} />}
          </span>
          {data.delegated && wallet.signer.signRevocation !== undefined && (
            <button
              type="button"
              className="link"
              disabled={removal.isPending}
              aria-label={words.removeOn(chain.name)}
              onClick={() => removal.mutate()}
            >
              {removal.isPending ? words.removing : words.remove}
            </button>
          )}
        </>
      )}
      {removal.isError && (
        <div role="alert">
          <ErrorNotice {...describeError(removal.error, wallet.name)} />
        </div>
      )}
    </li>
  )
}

/** Lists the delegations. They are read when the list is opened. */
export const DelegationList = ({ wallet }: { readonly wallet: EvmWallet }) => {
  const { config } = usePage()
  const [open, setOpen] = useState(false)
  const words = text.delegations
  return (
    <details className="delegations" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.title}</summary>
      <p className="fine">{words.text}</p>
      {wallet.signer.signRevocation === undefined && <p className="fine">{words.inWallet(wallet.name)}</p>}
      {open && (
        <ul>
          {config.chains
            .filter(({ family }) => family === "evm")
            .map((chain) => (
              <DelegationRow key={chain.id} chain={chain} wallet={wallet} />
            ))}
        </ul>
      )}
    </details>
  )
}
