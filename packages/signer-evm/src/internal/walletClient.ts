/** A viem wallet client wrapped as a wallet. */
import { accountWallet } from "./account.js"
import { invalidInput, parseAddress, readInput } from "./constructorInput.js"
import { describeKind } from "./describeValue.js"
import { bindRequest, type Options, type Requester } from "./options.js"
import { isObject, type Properties } from "./properties.js"
import { jsonRpcWallet, withoutRetry } from "./provider.js"
import type { Wallet } from "./wallet.js"

/** A viem wallet client, from `createWalletClient` or wagmi's `useWalletClient`. */
export interface WalletClient extends Requester {
  readonly account?: { readonly address: string; readonly type: string } | undefined
}

/** Options for a signer that uses a wallet client. */
export interface WalletClientOptions extends Options {
  /** The account to sign with, or its address (default: the client's account). Smart accounts are rejected. */
  readonly account?: string | { readonly address: string; readonly type: string } | undefined
}

/**
 * The wallet behind a viem wallet client. Throws `InvalidInput` if the value is not a wallet client or has no account.
 */
export const walletClientWallet = (client: unknown, options: WalletClientOptions | undefined): Wallet =>
  readInput("client", () => {
    if (!isObject(client)) {
      throw invalidInput(
        "client",
        `expected a viem wallet client, got ${describeKind(client)}. With wagmi, wait until useWalletClient has data.`
      )
    }
    const request = bindRequest("client", client, "a viem wallet client")
    const chosen = readInput("options", () => (options as Properties<"account"> | undefined)?.account)
    const field = chosen === undefined ? "client.account" : "options.account"
    const account = chosen === undefined ? (client as Properties<"account">).account : chosen
    if (account === undefined || account === null) {
      throw invalidInput(
        field,
        "is missing. Create the client with an account, or pass one: EvmSigner.fromWalletClient(client, { account: address })."
      )
    }
    const sendOnce = withoutRetry(client, request)
    if (typeof account === "string") return jsonRpcWallet(parseAddress(field, account), sendOnce)
    const { address, type } = account as Properties<"address" | "type">
    return type === "json-rpc"
      ? jsonRpcWallet(parseAddress(`${field}.address`, address), sendOnce)
      : accountWallet(account, field)
  })
