/** A signer of `@solana/kit` as a wallet. */
import { Chain, type SwapError } from "@geoswap/core"
import {
  type Address,
  getCompiledTransactionMessageDecoder,
  getTransactionEncoder,
  getTransactionLifetimeConstraintFromCompiledTransactionMessage,
  type SignatureBytes,
  type Transaction,
  type TransactionMessageBytes,
  type TransactionModifyingSigner,
  type TransactionPartialSigner,
  type TransactionWithinSizeLimit,
  type TransactionWithLifetime
} from "@solana/kit"
import * as Effect from "effect/Effect"
import { invalidInput } from "./constructorInput.js"
import { describeKind } from "./describeValue.js"
import type { ResolvedOptions } from "./options.js"
import { decodeTransaction } from "./parseTransaction.js"
import { hasMethod, readProperty } from "./properties.js"
import type { SigningRequest, Wallet, WalletAnswer } from "./wallet.js"

/** A signer of kit that signs without sending. */
export type KitSigner = TransactionPartialSigner | TransactionModifyingSigner

/** The transaction as kit hands it to signers. */
const toKit = async ({ bytes }: SigningRequest) => {
  const { message, transaction } = decodeTransaction(bytes)
  const lifetimeConstraint = await getTransactionLifetimeConstraintFromCompiledTransactionMessage(message)
  return { ...transaction, lifetimeConstraint } as Transaction & TransactionWithinSizeLimit & TransactionWithLifetime
}

/** The wire form of what a signer gave back, whatever the order of its signatures; as it is where that is no such thing. */
const toWire = (given: unknown): unknown => {
  try {
    const { messageBytes, signatures } = given as Transaction
    const copy = new Uint8Array(messageBytes) as ArrayLike<number> as TransactionMessageBytes
    const { header, staticAccounts } = getCompiledTransactionMessageDecoder().decode(copy)
    const inPlace = staticAccounts.slice(0, header.numSignerAccounts).map((signer) => {
      const signature = signatures[signer]
      return [signer, signature ? (new Uint8Array(signature) as SignatureBytes) : null] as const
    })
    return Uint8Array.from(
      getTransactionEncoder().encode({ messageBytes: copy, signatures: Object.fromEntries(inPlace) })
    )
  } catch {
    // It is told as what it is.
    return given
  }
}

/** What a partial signer gave back: its own signature, or else the first, to say whose that is. */
const fromPartial = (address: string, answers: unknown): WalletAnswer => {
  if (!Array.isArray(answers)) return { noList: answers }
  const signatures: Readonly<Record<string, unknown>> = (answers[0] as Record<string, unknown> | undefined) ?? {}
  const others = Object.keys(signatures)
  return { signature: signatures[address] ?? signatures[`${others[0]}`], others: () => others }
}

/** Why something with that address cannot be used as a signer. */
const problemOf = (signer: unknown, address: unknown): string | undefined => {
  if (typeof signer !== "object" && typeof signer !== "function")
    return `should be a signer, and is ${describeKind(signer)}`
  if (!Chain.isAddress("solana", address)) return "its address is no address on Solana"
  if (hasMethod(signer, "signTransactions") || hasMethod(signer, "modifyAndSignTransactions")) return undefined
  return hasMethod(signer, "signAndSendTransactions")
    ? "it can only send what it signs, and GeoSwap's relayer is the one to send. Use a signer with signTransactions"
    : "it has no signTransactions and no modifyAndSignTransactions. Use a signer that signs transactions"
}

export const kitSignerWallet = Effect.fnUntraced(function* (
  signer: KitSigner,
  { name = "The signer" }: ResolvedOptions
): Effect.fn.Return<Wallet, SwapError.InvalidInput> {
  const address = readProperty(signer, "address") as Address
  const problem = problemOf(signer, address)
  if (problem !== undefined) return yield* invalidInput("signer", problem)
  const isPartial = hasMethod(signer, "signTransactions")
  return {
    name,
    address,
    sign: async (request) => {
      const transaction = await toKit(request)
      const config = { abortSignal: request.signal }
      if (isPartial) {
        return fromPartial(address, await (signer as TransactionPartialSigner).signTransactions([transaction], config))
      }
      const answers: unknown = await (signer as TransactionModifyingSigner).modifyAndSignTransactions(
        [transaction],
        config
      )
      return Array.isArray(answers) ? { transaction: toWire(answers[0]) } : { noList: answers }
    }
  }
})
