/** A key service (a KMS, an MPC service or a remote signer) wrapped as a wallet. */
import type { Hex, Signer } from "@geoswap/core"
import type { TypedData } from "@geoswap/core/adapters"
import { otherTypes } from "./account.js"
import { invalidInput, parseAddress, readInput } from "./constructorInput.js"
import { describeKind } from "./describeValue.js"
import { hashAuthorization, hashMessage } from "./hash.js"
import type { SignatureForm } from "./parseSignature.js"
import { isObject, type Properties } from "./properties.js"
import type { Tuple, TypedDataToSign, Wallet } from "./wallet.js"

/**
 * Signs any 32 bytes, as a KMS does. A service with this method can also sign delegations and typed data, because this
 * package computes their hashes from fields that it has verified.
 */
export interface DigestService {
  readonly address: string
  /** Signs exactly these 32 bytes, without hashing them again or adding a prefix. */
  signDigest(digest: Hex.Hex, abort: Signer.Abort): Promise<SignatureForm> | SignatureForm
}

/** Signs messages, as remote wallets that support only personal_sign do. */
export interface MessageService {
  readonly address: string
  /** Signs with personal_sign. The message is the 32 bytes that `raw` encodes, not the hexadecimal text. */
  signMessage(raw: Hex.Hex, abort: Signer.Abort): Promise<SignatureForm> | SignatureForm
  /**
   * Signs typed data (EIP-712) in the form of `eth_signTypedData_v4`. Omit this method if the service does not support
   * typed data.
   */
  readonly signTypedData?:
    | ((data: TypedData, abort: Signer.Abort) => Promise<SignatureForm> | SignatureForm)
    | undefined
  /**
   * Signs an EIP-7702 authorization for exactly this chain, contract and nonce. To remove a delegation, the contract is
   * the zero address. Omit this method if the service does not support authorizations.
   */
  readonly signAuthorization?:
    | ((authorization: Tuple, abort: Signer.Abort) => Promise<SignatureForm> | SignatureForm)
    | undefined
}

/** A service that holds the key. If it has both `signDigest` and `signMessage`, `signDigest` is used. */
export type KeyService = DigestService | MessageService

type Method = (input: unknown, abort: Signer.Abort) => unknown

/**
 * Names the constructor to use for a value that is not a key service. Returns `undefined` if the value may be a key
 * service.
 */
const wrongServiceAdvice = (service: object): string | undefined => {
  const { request, signDigest, signMessage, transport, type } = service as Properties<
    "request" | "signDigest" | "signMessage" | "transport" | "type"
  >
  if (signDigest !== undefined) return undefined
  if (type === "local") return "this is a viem account. Use EvmSigner.fromAccount(account)."
  if (type === "json-rpc" || type === "smart") return otherTypes[type]
  if (typeof request !== "function") return undefined
  if (isObject(transport)) return "this is a viem client. Use EvmSigner.fromWalletClient(client)."
  return signMessage === undefined ? "this is a provider. Use EvmSigner.fromProvider(provider, address)." : undefined
}

/** The wallet for a key service. Throws `InvalidInput` if the value is not a key service. */
export const keyServiceWallet = (service: unknown): Wallet =>
  readInput("keyService", (): Wallet => {
    if (!isObject(service)) {
      throw invalidInput(
        "keyService",
        `expected { address, signDigest } or { address, signMessage }, got ${describeKind(service)}.`
      )
    }
    const other = wrongServiceAdvice(service)
    if (other !== undefined) throw invalidInput("keyService", other)
    const properties = service as Properties<keyof DigestService | keyof MessageService>
    const { signAuthorization, signDigest, signMessage, signTypedData } = properties
    for (const [name, method] of Object.entries({ signDigest, signMessage, signAuthorization, signTypedData })) {
      if (method === undefined || typeof method === "function") continue
      throw invalidInput(`keyService.${name}`, `expected a function, got ${describeKind(method)}.`)
    }
    const bind = (method: unknown) => (input: unknown, signal: AbortSignal) =>
      (method as Method).call(service, input, { signal })
    const wallet = {
      address: parseAddress("keyService.address", properties.address),
      name: "The key service",
      jsonRpc: false
    }
    if (signDigest !== undefined) {
      const sign = bind(signDigest)
      return {
        ...wallet,
        signMessage: (raw, signal) => sign(hashMessage({ raw }), signal),
        signTypedData: ({ digest }, signal) => sign(digest, signal),
        signAuthorization: (tuple, signal) => sign(hashAuthorization(tuple), signal)
      }
    }
    if (signMessage !== undefined) {
      const signData = bind(signTypedData)
      return {
        ...wallet,
        signMessage: bind(signMessage),
        ...(signTypedData !== undefined && {
          signTypedData: ({ data }: TypedDataToSign, signal: AbortSignal) => signData(data, signal)
        }),
        ...(signAuthorization !== undefined && { signAuthorization: bind(signAuthorization) })
      }
    }
    throw invalidInput(
      "keyService",
      "expected signDigest or signMessage. Add signDigest(digest) if the service can sign any 32 bytes. Otherwise, add signMessage(raw)."
    )
  })
