/** A viem account as a wallet. */
import type { LocalAccount } from "viem"
import { hashAuthorization } from "viem/utils"
import { parseAddress, invalidInput, readInput } from "./constructorInput.js"
import { describeKind } from "./describeValue.js"
import { isObject, type Properties } from "./properties.js"
import type { Wallet } from "./wallet.js"

/** A viem account that signs by itself: from `privateKeyToAccount`, `mnemonicToAccount`, `toAccount` and the like. */
export type Account = Pick<LocalAccount, "address" | "type" | "signMessage" | "sign" | "signAuthorization">

/** What to do with accounts of viem that do not sign by themselves, by their type. */
export const otherTypes: Readonly<Record<string, string>> = {
  "json-rpc":
    "is a json-rpc account, whose key is in a wallet. Use EvmSigner.fromWalletClient(client) or EvmSigner.fromProvider(provider, address).",
  smart:
    "is a smart account, a contract that has no key of its own. GeoSwap needs the signature of the paying wallet's key: use EvmSigner.fromAccount with the account that owns it, as the paying wallet."
}

/** Why something is no account that signs by itself, and what to do about it. */
const wrongAccountAdvice = (account: unknown): string | undefined => {
  if (typeof account === "string") {
    return `is ${describeKind(account)}. A private key becomes an account by privateKeyToAccount of viem/accounts; for an address whose key is in a wallet, use EvmSigner.fromProvider(provider, address).`
  }
  if (!isObject(account)) return `should be a viem account, and is ${describeKind(account)}.`
  const { request, signDigest, type } = account as Properties<"request" | "signDigest" | "type">
  if (type === "local") return undefined
  if (type === "json-rpc" || type === "smart") return otherTypes[type]
  if (typeof signDigest === "function") return "is a key service. Use EvmSigner.fromPromise(keyService)."
  return typeof request === "function"
    ? "is a client or a provider. Use EvmSigner.fromWalletClient(client) or EvmSigner.fromProvider(provider, address)."
    : "is no viem account of the type local. Make one by toAccount of viem/accounts, or use EvmSigner.fromPromise({ address, signMessage })."
}

/** The wallet of a viem account; throws `InvalidInput` where it is none that signs by itself. */
export const accountWallet = (account: unknown, field = "account"): Wallet =>
  readInput(field, () => {
    const problem = wrongAccountAdvice(account)
    if (problem !== undefined) throw invalidInput(field, problem)
    const { address, sign, signAuthorization, signMessage } = account as Partial<Account>
    for (const [name, method] of Object.entries({ signMessage, sign, signAuthorization })) {
      if (typeof method === "function" || (method === undefined && name !== "signMessage")) continue
      throw invalidInput(`${field}.${name}`, `should be a function, and is ${describeKind(method)}.`)
    }
    return {
      address: parseAddress(`${field}.address`, address),
      name: "The account",
      jsonRpc: false,
      signMessage: (raw) => signMessage?.call(account, { message: { raw } }),
      ...(sign && { signAuthorization: (tuple) => sign.call(account, { hash: hashAuthorization(tuple) }) }),
      ...(signAuthorization && { signAuthorization: (tuple) => signAuthorization.call(account, tuple) })
    }
  })
