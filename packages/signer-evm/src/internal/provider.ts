/** An EIP-1193 provider as a wallet. */
import { parseAddress, readInput } from "./constructorInput.js"
import { type Request, requestOf } from "./options.js"
import { isObject, type Properties } from "./properties.js"
import type { Wallet } from "./wallet.js"

/**
 * Asks without repeating: viem's clients ask again after some errors, and a person would be asked twice. Others are not
 * told, since providers of WalletConnect take something else as the second argument.
 */
export const withoutRetry = (client: unknown, request: Request): Request => {
  const { transport, uid } = client as Properties<"transport" | "uid">
  return isObject(transport) && typeof uid === "string" ? (args) => request(args, { retryCount: 0 }) : request
}

/** A wallet behind JSON-RPC; no such wallet signs an EIP-7702 authorization for a page. */
export const jsonRpcWallet = (address: Wallet["address"], request: Request): Wallet => ({
  address,
  name: "The wallet",
  jsonRpc: true,
  signMessage: (raw) => request({ method: "personal_sign", params: [raw, address] })
})

/** The wallet behind an EIP-1193 provider; throws `InvalidInput` where it is none. */
export const providerWallet = (provider: unknown, address: unknown): Wallet =>
  readInput("provider", () => {
    const request = requestOf("provider", provider, "an EIP-1193 provider")
    return jsonRpcWallet(parseAddress("address", address), withoutRetry(provider, request))
  })
