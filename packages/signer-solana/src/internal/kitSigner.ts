/** A signer of `@solana/kit` as a wallet. */
import { Chain, type SwapError } from "@geoswap/core"
import {
  getCompiledTransactionMessageDecoder,
  getTransactionEncoder,
  getTransactionLifetimeConstraintFromCompiledTransactionMessage,
  type SignaturesMap,
  type Transaction,
  type TransactionModifyingSigner,
  type TransactionPartialSigner,
  type TransactionWithinSizeLimit,
  type TransactionWithLifetime
} from "@solana/kit"
import * as Effect from "effect/Effect"
import { type Asked, hasMethod, invalidInput, nameOf, type Options, type Wallet } from "./wallet.js"
import { parse } from "./wire.js"
import { kindOf } from "./words.js"

/** A signer of kit that signs without sending. */
export type KitSigner = TransactionPartialSigner | TransactionModifyingSigner

/** The transaction as kit hands it to signers. */
const toKit = async ({ bytes }: Asked) => {
  const { message, transaction } = parse(bytes)
  const lifetimeConstraint = await getTransactionLifetimeConstraintFromCompiledTransactionMessage(message)
  return { ...transaction, lifetimeConstraint } as Transaction & TransactionWithinSizeLimit & TransactionWithLifetime
}

/** The wire form of what a signer gave back, whatever the order of its signatures; as it is where that is no such thing. */
const toWire = (given: unknown): unknown => {
  try {
    const { messageBytes, signatures } = given as Transaction
    const { header, staticAccounts } = getCompiledTransactionMessageDecoder().decode(messageBytes)
    const signers = staticAccounts.slice(0, header.numSignerAccounts)
    const ordered: SignaturesMap = Object.fromEntries(signers.map((signer) => [signer, signatures[signer] ?? null]))
    return Uint8Array.from(getTransactionEncoder().encode({ messageBytes, signatures: ordered }))
  } catch {
    // It is told as what it is.
    return given
  }
}

/** Why a signer cannot be used. */
const problemOf = (signer: KitSigner): string | undefined => {
  if (typeof signer !== "object" && typeof signer !== "function") return `should be a signer, and is ${kindOf(signer)}`
  if (!Chain.isAddress("solana", signer?.address)) return "its address is no address on Solana"
  if (hasMethod(signer, "signTransactions") || hasMethod(signer, "modifyAndSignTransactions")) return undefined
  return hasMethod(signer, "signAndSendTransactions")
    ? "it can only send what it signs, and GeoSwap's relayer is the one to send. Use a signer with signTransactions"
    : "it has no signTransactions and no modifyAndSignTransactions. Use a signer that signs transactions"
}

export const kitSignerWallet = Effect.fnUntraced(function* (
  signer: KitSigner,
  options: Options | undefined
): Effect.fn.Return<Wallet, SwapError.InvalidInput> {
  const name = yield* nameOf(options, "The signer")
  const problem = problemOf(signer)
  if (problem !== undefined) return yield* invalidInput("signer", `signer: ${problem}.`)
  const { address } = signer
  const isPartial = hasMethod(signer, "signTransactions")
  return {
    name,
    address,
    sign: async (asked) => {
      const transaction = await toKit(asked)
      const config = { abortSignal: asked.signal }
      if (isPartial) {
        const [signatures] = await (signer as TransactionPartialSigner).signTransactions([transaction], config)
        // One of another address is looked at too, to say whose it is.
        const [first] = Object.entries(signatures ?? {})
        return { signature: signatures?.[address] ?? first?.[1], others: first?.slice(0, 1) as Array<string> }
      }
      const [signed] = await (signer as TransactionModifyingSigner).modifyAndSignTransactions([transaction], config)
      return { transaction: toWire(signed) }
    }
  }
})
