/** The signer of any wallet: it checks what it is asked, has it signed, and checks what comes back. */
import { Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { toBase64 } from "./base64.js"
import type { Options } from "./options.js"
import { makeTokenAccounts } from "./tokenAccounts.js"
import { importVerificationKey, insertSignature, verifySignature } from "./verifySignature.js"
import { type VerifiedTransaction, verifyTransaction } from "./verifyTransaction.js"
import type { Wallet, WalletAnswer } from "./wallet.js"

/** Has the wallet sign a copy. */
const callWallet = (wallet: Wallet, { bytes, originChain, transaction }: VerifiedTransaction) =>
  Effect.tryPromise<WalletAnswer, SwapError.SignerError>({
    try: (signal) =>
      wallet.sign({
        text: toBase64(bytes),
        bytes: Uint8Array.from(bytes),
        messageBytes: Uint8Array.from(transaction.messageBytes),
        originChain,
        signal
      }),
    catch: (thrown) => Signer.failure(wallet.name, thrown)
  })

/** A signer around a wallet. The wallet lives in this closure alone: printing the signer does not show it. */
export const make = (wallet: Wallet, lookupTables: Options["lookupTables"]): Signer.SolanaSigner => {
  const context = { wallet: wallet.address, lookupTables, tokenAccountOf: makeTokenAccounts() }
  return {
    address: wallet.address,
    verifyTransaction: (transaction) => Effect.asVoid(verifyTransaction(context, transaction)),
    // A signer that is handed around must not sign what does not fit either, so that it judges again.
    signTransaction: Effect.fnUntraced(function* (transaction) {
      const verified = yield* verifyTransaction(context, transaction)
      const key = yield* importVerificationKey(wallet.address)
      const answer = yield* callWallet(wallet, verified)
      const signature = yield* verifySignature(wallet, key, verified, answer)
      return toBase64(insertSignature(verified, signature))
    })
  }
}
