/** The page: connects a wallet with wagmi, and creates the GeoSwap client that signs with this wallet. */
import { createClient, type PromiseEvmSigner } from "@geoswap/core/promise"
import { browserStore, GeoswapProvider } from "@geoswap/react"
import { EvmSigner } from "@geoswap/signer-evm/promise"
import { fetchTransport } from "@geoswap/transport-fetch/promise"
import { useMemo, useState } from "react"
import { useConnection, useWalletClient } from "wagmi"
import { network } from "./network.ts"
import { Swap } from "./Swap.tsx"
import { Wallet } from "./Wallet.tsx"

/** No API key: the server of this page adds it. */
const transport = fetchTransport({ baseUrl: location.origin })

/** The store is in `localStorage`, so that a swap can be resumed after a reload. */
const store = browserStore()

/** Refuses quotes that lose more than 3% of the value. */
const policy = { maxTotalCostBps: 300 }

/**
 * The wallet's signer. It stays the same while the wallet switches its chain, which happens before the wallet signs typed
 * data: a new signer would mean a new client, and the page would lose the running swap.
 */
const useSigner = (): PromiseEvmSigner | undefined => {
  const { address, chainId, connector } = useConnection()
  // The wallet can be connected to any chain, even to one that is not in wagmi's configuration.
  const { data: walletClient } = useWalletClient({ chainId })
  const [kept, setKept] = useState<{ readonly id: string; readonly signer: PromiseEvmSigner }>()
  const id = `${connector?.uid} ${address}`
  if (walletClient !== undefined && walletClient.account.address === address && kept?.id !== id) {
    setKept({ id, signer: EvmSigner.fromWalletClient(walletClient) })
  }
  return kept?.id === id ? kept.signer : undefined
}

export const App = () => {
  const { connector } = useConnection()
  const signer = useSigner()
  const client = useMemo(() => createClient({ network, transport, signers: { evm: signer }, policy, store }), [signer])
  return (
    <GeoswapProvider client={client}>
      <header>
        <h1>Swap</h1>
        <p>Pay on one chain and receive on another. You need no gas.</p>
      </header>
      <Wallet />
      {signer && <Swap key={signer.address} signer={signer} wallet={connector?.name ?? "your wallet"} />}
    </GeoswapProvider>
  )
}
