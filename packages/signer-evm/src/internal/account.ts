/** A viem account wrapped as a wallet. */
import type { LocalAccount } from "viem"
import { invalidInput, parseAddress, readInput } from "./constructorInput.js"
import { describeKind } from "./describeValue.js"
import { hashAuthorization } from "./hash.js"
import { isObject, type Properties } from "./properties.js"
import type { Wallet } from "./wallet.js"

/** A viem account that signs without a wallet, from `privateKeyToAccount`, `mnemonicToAccount` or `toAccount`. */
export type Account = Pick<LocalAccount, "address" | "type" | "signMessage" | "sign" | "signAuthorization"> & {
  /** Signs typed data. Without it, the signer cannot pay without a delegation. */
  readonly signTypedData?: LocalAccount["signTypedData"] | undefined
}

/** What to use instead of viem accounts that cannot sign without a wallet, by account type. */
export const otherTypes: Readonly<Record<string, string>> = {
  "json-rpc":
    "this is a json-rpc account, whose key is in a wallet. Use EvmSigner.fromWalletClient(client) or EvmSigner.fromProvider(provider, address).",
  smart:
    "this is a smart account, a contract without a key. GeoSwap needs a signature by the paying wallet's key. Pay from the owner's account and pass that account to EvmSigner.fromAccount."
}

/** Explains what is wrong with an account and which constructor to use. Returns `undefined` if nothing is wrong. */
const wrongAccountAdvice = (account: unknown): string | undefined => {
  if (typeof account === "string") {
    return `expected a viem account, got ${describeKind(account)}. For a private key, use privateKeyToAccount from viem/accounts. For an address whose key is in a wallet, use EvmSigner.fromProvider(provider, address).`
  }
  if (!isObject(account)) return `expected a viem account, got ${describeKind(account)}.`
  const { request, signDigest, type } = account as Properties<"request" | "signDigest" | "type">
  if (type === "local") return undefined
  if (type === "json-rpc" || type === "smart") return otherTypes[type]
  if (typeof signDigest === "function") return "this is a key service. Use EvmSigner.fromKeyService(keyService)."
  return typeof request === "function"
    ? "this is a client or a provider. Use EvmSigner.fromWalletClient(client) or EvmSigner.fromProvider(provider, address)."
    : "this is not a local viem account. Create one with toAccount from viem/accounts, or use EvmSigner.fromKeyService({ address, signMessage })."
}

/** The wallet for a viem account. Throws `InvalidInput` if the account cannot sign without a wallet. */
export const accountWallet = (account: unknown, field = "account"): Wallet =>
  readInput(field, () => {
    const problem = wrongAccountAdvice(account)
    if (problem !== undefined) throw invalidInput(field, problem)
    const { address, sign, signAuthorization, signMessage, signTypedData } = account as Partial<Account>
    for (const [name, method] of Object.entries({ signMessage, sign, signAuthorization, signTypedData })) {
      if (typeof method === "function" || (method === undefined && name !== "signMessage")) continue
      throw invalidInput(`${field}.${name}`, `expected a function, got ${describeKind(method)}.`)
    }
    return {
      address: parseAddress(`${field}.address`, address),
      name: "The account",
      jsonRpc: false,
      signMessage: (raw) => signMessage?.call(account, { message: { raw } }),
      ...(signTypedData && { signTypedData: ({ data }) => signTypedData.call(account, data as never) }),
      ...(sign && { signAuthorization: (tuple) => sign.call(account, { hash: hashAuthorization(tuple) }) }),
      ...(signAuthorization && { signAuthorization: (tuple) => signAuthorization.call(account, tuple) })
    }
  })
