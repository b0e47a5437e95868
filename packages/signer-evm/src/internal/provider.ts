/** An EIP-1193 provider, or a viem wallet client around one, as a wallet. */
import { ofAccount } from "./account.js"
import { addressOf, hasMembers, invalid, kindOf, type Members, reading } from "./given.js"
import { type Options, type Request, type Requester, requestOf } from "./options.js"
import type { Wallet } from "./wallet.js"

/** A viem wallet client, as `createWalletClient` and wagmi's `useWalletClient` give it. */
export interface WalletClient extends Requester {
  readonly account?: { readonly address: string; readonly type: string } | undefined
}

/** What a signer around a wallet client can be told. */
export interface WalletClientOptions extends Options {
  /** The account to sign with, or its address, where it is not the client's own. Smart accounts are refused. */
  readonly account?: string | { readonly address: string; readonly type: string } | undefined
}

/**
 * Asks without repeating: viem's clients ask again after some errors, and a person would be asked twice. Others are not
 * told, since providers of WalletConnect take something else as the second argument.
 */
const once = (client: unknown, request: Request): Request => {
  const { transport, uid } = client as Members<"transport" | "uid">
  return hasMembers(transport) && typeof uid === "string" ? (args) => request(args, { retryCount: 0 }) : request
}

/** A wallet behind JSON-RPC; no such wallet signs an EIP-7702 authorization for a page. */
const personalSign = (address: Wallet["address"], request: Request): Wallet => ({
  address,
  name: "The wallet",
  jsonRpc: true,
  signMessage: (raw) => request({ method: "personal_sign", params: [raw, address] })
})

/** The wallet behind an EIP-1193 provider; throws `InvalidInput` where it is none. */
export const ofProvider = (provider: unknown, address: unknown): Wallet =>
  reading("provider", () => {
    const request = requestOf("provider", provider, "an EIP-1193 provider")
    return personalSign(addressOf("address", address), once(provider, request))
  })

/** The wallet behind a viem wallet client; throws `InvalidInput` where it is none, or has no account. */
export const ofWalletClient = (client: unknown, options: WalletClientOptions | undefined): Wallet =>
  reading("client", () => {
    if (!hasMembers(client)) {
      throw invalid(
        "client",
        `should be a viem wallet client, and is ${kindOf(client)}. With wagmi, wait until useWalletClient has data.`
      )
    }
    const request = requestOf("client", client, "a viem wallet client")
    const chosen = reading("options", () => (options as Members<"account"> | undefined)?.account)
    const field = chosen === undefined ? "client.account" : "options.account"
    const account = chosen === undefined ? (client as Members<"account">).account : chosen
    if (account === undefined || account === null) {
      throw invalid(
        field,
        "is absent. Create the client with an account, or pass one: EvmSigner.fromWalletClient(client, { account: address })."
      )
    }
    const asking = once(client, request)
    if (typeof account === "string") return personalSign(addressOf(field, account), asking)
    const { address, type } = account as Members<"address" | "type">
    return type === "json-rpc"
      ? personalSign(addressOf(`${field}.address`, address), asking)
      : ofAccount(account, field)
  })
