/** The signer of any wallet: it checks what it is asked, has it signed, and checks what comes back. */
import { Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { fitting, type Fitting } from "./judge.js"
import { makeTokenAccounts } from "./programs.js"
import type { Options } from "./options.js"
import { complete, verifierOf } from "./signed.js"
import type { Answer, Wallet } from "./wallet.js"
import { toText } from "./wire.js"

/** Has the wallet sign a copy. */
const ask = (wallet: Wallet, { bytes, originChain, transaction }: Fitting) =>
  Effect.tryPromise<Answer, SwapError.SignerError>({
    try: (signal) =>
      wallet.sign({
        text: toText(bytes),
        bytes: Uint8Array.from(bytes),
        messageBytes: Uint8Array.from(transaction.messageBytes),
        originChain,
        signal
      }),
    catch: (thrown) => Signer.failure(wallet.name, thrown)
  })

/** A signer around a wallet. The wallet lives in this closure alone: printing the signer does not show it. */
export const make = (wallet: Wallet, lookupTables: Options["lookupTables"]): Signer.SolanaSigner => {
  const bench = { wallet: wallet.address, lookupTables, tokenAccountOf: makeTokenAccounts() }
  return {
    address: wallet.address,
    verifyTransaction: (transaction) => Effect.asVoid(fitting(bench, transaction)),
    // A signer that is handed around must not sign what does not fit either, so that it judges again.
    signTransaction: Effect.fnUntraced(function* (transaction) {
      const asked = yield* fitting(bench, transaction)
      const key = yield* verifierOf(wallet.address)
      const answer = yield* ask(wallet, asked)
      return toText(yield* complete(wallet, key, asked, answer))
    })
  }
}
