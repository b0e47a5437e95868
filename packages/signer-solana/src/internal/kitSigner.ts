/** An `@solana/kit` signer wrapped as a wallet. */
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

/** A kit signer that signs without sending. */
export type KitSigner = TransactionPartialSigner | TransactionModifyingSigner

/** The transaction as kit passes it to signers. */
const toKit = async ({ bytes }: SigningRequest) => {
  const { message, transaction } = decodeTransaction(bytes)
  const lifetimeConstraint = await getTransactionLifetimeConstraintFromCompiledTransactionMessage(message)
  return { ...transaction, lifetimeConstraint } as Transaction & TransactionWithinSizeLimit & TransactionWithLifetime
}

/**
 * Encodes the transaction that a signer returned. Its signatures may be in any order. Returns any other value
 * unchanged.
 */
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
    // The value is invalid. Return it unchanged, because the verification of the signature describes what is wrong.
    return given
  }
}

/**
 * Takes the wallet's own signature from a partial signer's response. If that signature is missing, takes the first
 * signature in the response, so that the error message can name its signer.
 */
const fromPartial = (address: string, answers: unknown): WalletAnswer => {
  if (!Array.isArray(answers)) return { notArray: answers }
  const signatures: Readonly<Record<string, unknown>> = (answers[0] as Record<string, unknown> | undefined) ?? {}
  const others = Object.keys(signatures)
  return { signature: signatures[address] ?? signatures[`${others[0]}`], others: () => others }
}

/** Explains why a value cannot be used as a signer. */
const problemOf = (signer: unknown, address: unknown): string | undefined => {
  if (typeof signer !== "object" && typeof signer !== "function")
    return `expected a signer, got ${describeKind(signer)}.`
  if (!Chain.isAddress("solana", address)) return "its address is not a Solana address."
  if (hasMethod(signer, "signTransactions") || hasMethod(signer, "modifyAndSignTransactions")) return undefined
  return hasMethod(signer, "signAndSendTransactions")
    ? "it can only sign and send in one step, but the GeoSwap relayer must send the transaction. Use a signer with signTransactions."
    : "it has neither signTransactions nor modifyAndSignTransactions. Use a signer that signs transactions."
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
      return Array.isArray(answers) ? { transaction: toWire(answers[0]) } : { notArray: answers }
    }
  }
})
