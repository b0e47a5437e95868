/** An EIP-1193 provider wrapped as a wallet. */
import { parseAddress, readInput } from "./constructorInput.js"
import { bindRequest, type Request } from "./options.js"
import { isObject, type Properties } from "./properties.js"
import type { Wallet } from "./wallet.js"

/**
 * Turns off retries in viem clients, because a retry would prompt the user again. The retry count is a second argument,
 * which only viem clients receive, because WalletConnect gives it a different meaning.
 */
export const withoutRetry = (client: unknown, request: Request): Request => {
  const { transport, uid } = client as Properties<"transport" | "uid">
  return isObject(transport) && typeof uid === "string" ? (args) => request(args, { retryCount: 0 }) : request
}

/** A wallet that is accessed through JSON-RPC. JSON-RPC wallets do not sign EIP-7702 authorizations for web pages. */
export const jsonRpcWallet = (address: Wallet["address"], request: Request): Wallet => ({
  address,
  name: "The wallet",
  jsonRpc: true,
  signMessage: (raw) => request({ method: "personal_sign", params: [raw, address] }),
  signTypedData: ({ data }) => request({ method: "eth_signTypedData_v4", params: [address, JSON.stringify(data)] }),
  activeChain: {
    read: () => request({ method: "eth_chainId", params: [] }),
    switchTo: (chainId) =>
      request({ method: "wallet_switchEthereumChain", params: [{ chainId: `0x${chainId.toString(16)}` }] })
  }
})

/** The wallet behind an EIP-1193 provider. Throws `InvalidInput` if the value is not a provider. */
export const providerWallet = (provider: unknown, address: unknown): Wallet =>
  readInput("provider", () => {
    const request = bindRequest("provider", provider, "an EIP-1193 provider")
    return jsonRpcWallet(parseAddress("address", address), withoutRetry(provider, request))
  })
