/** The signer for any wallet: it verifies the request, calls the wallet, and verifies the signature. */
import { Signer, type SwapError } from "@geoswap/core"
import { reportFailure } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { toBase64 } from "./base64.js"
import type { ResolvedOptions } from "./options.js"
import { makeTokenAccounts } from "./tokenAccounts.js"
import { importVerificationKey, insertSignature, verifySignature } from "./verifySignature.js"
import { type VerifiedTransaction, verifyTransaction } from "./verifyTransaction.js"
import type { Wallet, WalletAnswer } from "./wallet.js"

/** Calls the wallet with a copy of the transaction. */
const callWallet = (
  wallet: Wallet,
  onFailure: ResolvedOptions["onFailure"],
  { bytes, originChain, transaction }: VerifiedTransaction
) =>
  Effect.tryPromise<WalletAnswer, SwapError.SignerError>({
    try: (signal) =>
      wallet.sign({
        text: toBase64(bytes),
        bytes: Uint8Array.from(bytes),
        messageBytes: Uint8Array.from(transaction.messageBytes),
        originChain,
        signal
      }),
    catch: (thrown) => {
      reportFailure(onFailure, thrown)
      return Signer.failure(wallet.name, thrown)
    }
  })

/** Creates the signer for a wallet. The wallet exists only in the closure, so printing the signer does not show it. */
export const make = (
  wallet: Wallet,
  { lookupTables, onFailure }: Pick<ResolvedOptions, "lookupTables" | "onFailure">
): Signer.Solana => {
  const context = { wallet: wallet.address, lookupTables, tokenAccountOf: makeTokenAccounts() }
  return {
    address: wallet.address,
    verifyTransaction: (transaction) => Effect.asVoid(verifyTransaction(context, transaction)),
    // The transaction is verified again, since this method may be called without the client.
    signTransaction: Effect.fnUntraced(function* (transaction) {
      const verified = yield* verifyTransaction(context, transaction)
      const key = yield* importVerificationKey(wallet.address)
      const answer = yield* callWallet(wallet, onFailure, verified)
      const signature = yield* verifySignature(wallet, key, verified, answer)
      return toBase64(insertSignature(verified, signature))
    })
  }
}
