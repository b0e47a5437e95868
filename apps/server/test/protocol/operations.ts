/** Operations for tests: signed but not submitted, or modified. */
import {
  getBase64Decoder,
  getBase64Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type ReadonlyUint8Array,
  signBytes,
  type SignatureBytes,
  type TransactionMessageBytes
} from "@solana/kit"
import type { PrivateKeyAccount } from "viem"
import * as protocol from "./client.js"
import { deploymentOf, type Fixture } from "./fixture.js"

interface SolanaWallet {
  readonly address: string
  readonly keyPair: CryptoKeyPair
}

/** An operation that is built and signed, but not submitted. */
export const signed = async (
  { devnet, first }: Fixture,
  account: PrivateKeyAccount,
  request: protocol.QuoteRequest
) => {
  const deployment = deploymentOf(devnet, request.originChain)
  const authorization = await protocol.authorize(first, account, request.originChain, deployment)
  const quoted = await protocol.quote(first, request)
  const build = async () => {
    const built = await protocol.buildOperation(first, request, quoted, deployment, authorization)
    const sign = () => account.signMessage({ message: { raw: built.geoOpHash } })
    const { geoOpToken } = built
    return { ...built, sign, submission: { geoOpToken, signature: await sign() } }
  }
  return { quoted, authorization, build, ...(await build()) }
}

/** A transaction that is built and signed, but not submitted. */
export const signedTransaction = async (
  { devnet, first }: Fixture,
  wallet: SolanaWallet,
  request: protocol.QuoteRequest
) => {
  const quoted = await protocol.quote(first, request)
  const build = () =>
    protocol.buildTransaction(first, wallet.keyPair, request, quoted, deploymentOf(devnet, request.originChain))
  return { quoted, build, submission: await build() }
}

export const submit = ({ first }: Fixture, submission: object) =>
  protocol.call<protocol.Swap>(first, "/swap/submit", submission)

export const submitSolana = ({ first }: Fixture, submission: object) =>
  protocol.call<protocol.Swap>(first, "/swap/submit-solana", submission)

/** A signed Solana transaction with another message or other signatures. */
export const resigned = async (
  signedTransaction: string,
  wallet: string,
  change: {
    readonly message?: (bytes: Uint8Array) => Uint8Array
    readonly signature?: (message: Uint8Array) => Promise<SignatureBytes | null>
  }
): Promise<string> => {
  const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(signedTransaction))
  const message = change.message?.(Uint8Array.from(messageBytes)) ?? Uint8Array.from(messageBytes)
  const signature = change.signature === undefined ? signatures[wallet as never] : await change.signature(message)
  const bytes = getTransactionEncoder().encode({
    messageBytes: message as ReadonlyUint8Array as TransactionMessageBytes,
    signatures: { ...signatures, [wallet]: signature ?? null }
  })
  return getBase64Decoder().decode(bytes)
}

/** Signs bytes with a Solana key. */
export const signedBy =
  ({ keyPair }: SolanaWallet) =>
  (message: Uint8Array): Promise<SignatureBytes> =>
    signBytes(keyPair.privateKey, message)
