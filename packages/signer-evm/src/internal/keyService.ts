/** A key service that answers with promises as a wallet: a KMS, an MPC service, a remote signer. */
import type { Hex, Signer } from "@geoswap/core"
import { hashAuthorization, hashMessage } from "viem/utils"
import { otherTypes } from "./account.js"
import { addressOf, hasMembers, invalid, kindOf, type Members, reading } from "./given.js"
import type { SignatureForm } from "./forms.js"
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
const otherThanService = (given: object): string | undefined => {
  const { request, signDigest, signMessage, transport, type } = given as Members<
    "request" | "signDigest" | "signMessage" | "transport" | "type"
  >
  if (signDigest !== undefined) return undefined
  if (type === "local") return "is a viem account. Use EvmSigner.fromAccount(account)."
  if (type === "json-rpc" || type === "smart") return otherTypes[type]
  if (typeof request !== "function") return undefined
  if (hasMembers(transport)) return "is a viem client. Use EvmSigner.fromWalletClient(client)."
  return signMessage === undefined ? "is a provider. Use EvmSigner.fromProvider(provider, address)." : undefined
}

/** The wallet of a key service; throws `InvalidInput` where it is none. */
export const ofKeyService = (service: unknown): Wallet =>
  reading("keyService", (): Wallet => {
    if (!hasMembers(service)) {
      throw invalid(
        "keyService",
        `should be { address, signDigest } or { address, signMessage }, and is ${kindOf(service)}.`
      )
    }
    const other = otherThanService(service)
    if (other !== undefined) throw invalid("keyService", other)
    const given = service as Members<keyof DigestService | keyof MessageService>
    const { signAuthorization, signDigest, signMessage } = given
    for (const [name, method] of Object.entries({ signDigest, signMessage, signAuthorization })) {
      if (method === undefined || typeof method === "function") continue
      throw invalid(`keyService.${name}`, `should be a function, and is ${kindOf(method)}.`)
    }
    const ask = (method: unknown) => (input: unknown, signal: AbortSignal) =>
      (method as Method).call(service, input, { signal })
    const wallet = { address: addressOf("keyService.address", given.address), name: "The key service", jsonRpc: false }
    if (signDigest !== undefined) {
      const sign = ask(signDigest)
      return {
        ...wallet,
        signMessage: (raw, signal) => sign(hashMessage({ raw }), signal),
        signAuthorization: (tuple, signal) => sign(hashAuthorization(tuple), signal)
      }
    }
    if (signMessage !== undefined) {
      return {
        ...wallet,
        signMessage: ask(signMessage),
        ...(signAuthorization !== undefined && { signAuthorization: ask(signAuthorization) })
      }
    }
    throw invalid(
      "keyService",
      "has neither signDigest nor signMessage. Give it signDigest(digest) where it signs any 32 bytes, else signMessage(raw)."
    )
  })
