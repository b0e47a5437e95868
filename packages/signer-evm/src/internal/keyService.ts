/** A key service that answers with promises as a wallet: a KMS, an MPC service, a remote signer. */
import type { Hex, Signer } from "@geoswap/core"
import { hashAuthorization, hashMessage } from "viem/utils"
import { otherTypes } from "./account.js"
import { parseAddress, invalidInput, readInput } from "./constructorInput.js"
import { describeKind } from "./describeValue.js"
import { isObject, type Properties } from "./properties.js"
import type { SignatureForm } from "./parseSignature.js"
import type { Tuple, Wallet } from "./wallet.js"

/** Signs any 32 bytes, as a KMS does. Hashing is ours, so that it can sign delegations too. */
export interface DigestService {
  readonly address: string
  /** The signature over exactly these 32 bytes: not hashed again, and without a prefix. */
  signDigest(digest: Hex.Hex, abort: Signer.Abort): Promise<SignatureForm> | SignatureForm
}

/** Signs messages, as remote wallets do that know only personal_sign. */
export interface MessageService {
  readonly address: string
  /** personal_sign over the 32 bytes that this hexadecimal text stands for, not over the text. */
  signMessage(raw: Hex.Hex, abort: Signer.Abort): Promise<SignatureForm> | SignatureForm
  /** An EIP-7702 authorization for exactly this chain, contract and nonce; absent where the service cannot. */
  readonly signAuthorization?:
    | ((authorization: Tuple, abort: Signer.Abort) => Promise<SignatureForm> | SignatureForm)
    | undefined
}

/** Whoever holds the key elsewhere. One that has both `signDigest` and `signMessage` is asked for digests. */
export type KeyService = DigestService | MessageService

type Method = (input: unknown, abort: Signer.Abort) => unknown

/** What was given in place of a key service, and which constructor takes it; one that signs digests is one. */
const wrongServiceAdvice = (service: object): string | undefined => {
  const { request, signDigest, signMessage, transport, type } = service as Properties<
    "request" | "signDigest" | "signMessage" | "transport" | "type"
  >
  if (signDigest !== undefined) return undefined
  if (type === "local") return "is a viem account. Use EvmSigner.fromAccount(account)."
  if (type === "json-rpc" || type === "smart") return otherTypes[type]
  if (typeof request !== "function") return undefined
  if (isObject(transport)) return "is a viem client. Use EvmSigner.fromWalletClient(client)."
  return signMessage === undefined ? "is a provider. Use EvmSigner.fromProvider(provider, address)." : undefined
}

/** The wallet of a key service; throws `InvalidInput` where it is none. */
export const keyServiceWallet = (service: unknown): Wallet =>
  readInput("keyService", (): Wallet => {
    if (!isObject(service)) {
      throw invalidInput(
        "keyService",
        `should be { address, signDigest } or { address, signMessage }, and is ${describeKind(service)}.`
      )
    }
    const other = wrongServiceAdvice(service)
    if (other !== undefined) throw invalidInput("keyService", other)
    const properties = service as Properties<keyof DigestService | keyof MessageService>
    const { signAuthorization, signDigest, signMessage } = properties
    for (const [name, method] of Object.entries({ signDigest, signMessage, signAuthorization })) {
      if (method === undefined || typeof method === "function") continue
      throw invalidInput(`keyService.${name}`, `should be a function, and is ${describeKind(method)}.`)
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
        signAuthorization: (tuple, signal) => sign(hashAuthorization(tuple), signal)
      }
    }
    if (signMessage !== undefined) {
      return {
        ...wallet,
        signMessage: bind(signMessage),
        ...(signAuthorization !== undefined && { signAuthorization: bind(signAuthorization) })
      }
    }
    throw invalidInput(
      "keyService",
      "has neither signDigest nor signMessage. Give it signDigest(digest) where it signs any 32 bytes, else signMessage(raw)."
    )
  })
