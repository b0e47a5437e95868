/** An EIP-1193 provider wrapped as a wallet. */
import { parseAddress, readInput } from "./constructorInput.js"
import { bindRequest, type Request } from "./options.js"
import { isObject, type Properties } from "./properties.js"
import type { Wallet } from "./wallet.js"

/**
 * Turns off retries in viem clients, because a retry would prompt the user again. Other providers get no second
 * argument, because the argument has a different meaning in WalletConnect.
 */
export const withoutRetry = (client: unknown, request: Request): Request => {
  const { transport, uid } = client as Properties<"transport" | "uid">
  return isObject(transport) && typeof uid === "string" ? (args) => request(args, { retryCount: 0 }) : request
}

/** A wallet accessed through JSON-RPC. Such wallets do not sign EIP-7702 authorizations for a page. */
export const jsonRpcWallet = (address: Wallet["address"], request: Request): Wallet => ({
  address,
  name: "The wallet",
  jsonRpc: true,
  signMessage: (raw) => request({ method: "personal_sign", params: [raw, address] })
})

/** The wallet behind an EIP-1193 provider. Throws `InvalidInput` if the value is not a provider. */
export const providerWallet = (provider: unknown, address: unknown): Wallet =>
  readInput("provider", () => {
    const request = bindRequest("provider", provider, "an EIP-1193 provider")
    return jsonRpcWallet(parseAddress("address", address), withoutRetry(provider, request))
  })
