/** Connects and disconnects a wallet. */
import { useConnect, useConnection, useConnectors, useDisconnect } from "wagmi"

export const Wallet = () => {
  const { address, connector, status } = useConnection()
  const connectors = useConnectors()
  const connect = useConnect()
  const disconnect = useDisconnect()
  if (status === "connected") {
    return (
      <section className="wallet" aria-label="Wallet">
        <span>
          {connector.name} <code title={address}>{`${address.slice(0, 6)}…${address.slice(-4)}`}</code>
        </span>
        <button type="button" className="link" onClick={() => disconnect.mutate({})}>
          Disconnect
        </button>
      </section>
    )
  }
  return (
    <section aria-label="Wallet">
      {connectors.length === 0 && <p>There is no wallet in this browser. Install one, then reload the page.</p>}
      {connectors.map((one) => (
        <button
          key={one.uid}
          type="button"
          className="main"
          disabled={connect.isPending}
          onClick={() => connect.mutate({ connector: one })}
        >
          Connect {one.name}
        </button>
      ))}
      {connect.isPending && <p role="status">Confirm the connection in your wallet.</p>}
      {connect.error && <p role="alert">{connect.error.message}</p>}
    </section>
  )
}
