/** What a signed transaction shows about how it can land, and how it is found if it did. */
import { Chain } from "@geoswap/core"
import { type Address, getUtf8Decoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import { toLatin1 } from "./bytes.js"
import { NodeError } from "./jsonRpc.js"
import { parseTransaction } from "./parseTransaction.js"
import { memoProgram } from "./programs.js"

export interface SignedTransaction {
  /** The message's bytes. Two transactions with the same message exclude each other, whatever their signatures are. */
  readonly message: string
  /** Who signed it, or has to: the address by which it is found. */
  readonly wallet: Address
  readonly blockhash: string
  readonly memo: string | undefined
  /** Whether it is valid until somebody advances a nonce, which may be never. */
  readonly isDurable: boolean
}

/** `AdvanceNonceAccount` of the system program. */
const advanceNonce = "4,0,0,0"

/** Reads a transaction that somebody signed. */
export const parseSignedTransaction = Effect.fnUntraced(function* (
  text: unknown
): Effect.fn.Return<SignedTransaction, NodeError> {
  const unreadable = new NodeError("a signed transaction of version 0 in base64")
  const { message, transaction } = yield* Effect.mapError(parseTransaction(text), () => unreadable)
  if (message.version === 1) return yield* Effect.fail(unreadable)
  const { header, instructions, lifetimeToken, staticAccounts } = message
  // Not the first signature, although that is the transaction's name: the fee payer can sign after the wallet, and can
  // make any number of signatures over the same message.
  const signers = staticAccounts.slice(0, header.numSignerAccounts)
  // A journal may keep the transaction with empty signatures. It is listed for every account in it, and the last signer
  // is the wallet: the first one pays the fees.
  const wallet = signers.findLast((signer) => Boolean(transaction.signatures[signer])) ?? signers.at(-1)
  if (wallet === undefined) return yield* Effect.fail(unreadable)
  const calls = instructions.map(({ data = new Uint8Array(), programAddressIndex }) => ({
    program: staticAccounts[programAddressIndex],
    data
  }))
  const memo = calls.find(({ program }) => program === memoProgram)?.data
  const [first] = calls
  return {
    message: toLatin1(transaction.messageBytes),
    wallet,
    blockhash: lifetimeToken,
    memo: memo && getUtf8Decoder().decode(memo),
    isDurable: first?.program === Chain.nativeToken.solana && first.data.slice(0, 4).join() === advanceNonce
  }
})
