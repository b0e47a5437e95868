/** Parses what the reader needs from a signed transaction: how it can land, and how to find it. */
import { Chain } from "@geoswap/core"
import { NodeError } from "@geoswap/core/adapters"
import { type Address, getUtf8Decoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import { toLatin1 } from "./bytes.js"
import { parseTransaction } from "./parseTransaction.js"
import { memoProgram } from "./programs.js"

export interface SignedTransaction {
  /** The message bytes. Only one transaction with this message can land, regardless of its signatures. */
  readonly message: string
  /**
   * The wallet that signed the transaction or must sign it. The reader searches for the transaction by this address.
   */
  readonly wallet: Address
  readonly blockhash: string
  readonly memo: string | undefined
  /** Whether the transaction uses a durable nonce, in which case it stays valid until the nonce advances. */
  readonly isDurable: boolean
}

/** The system program's `AdvanceNonceAccount` instruction. */
const advanceNonce = "4,0,0,0"

export const parseSignedTransaction = Effect.fnUntraced(function* (
  text: unknown
): Effect.fn.Return<SignedTransaction, NodeError> {
  const unreadable = new NodeError("a signed version 0 transaction in base64")
  const { message, transaction } = yield* Effect.mapError(parseTransaction(text), () => unreadable)
  if (message.version === 1) return yield* Effect.fail(unreadable)
  const { header, instructions, lifetimeToken, staticAccounts } = message
  // The first signature does not identify the transaction, because the fee payer may sign after the wallet and can make
  // any number of signatures over the same message.
  const signers = staticAccounts.slice(0, header.numSignerAccounts)
  // A journal may store the transaction without signatures, so the wallet may have to be found by its position: the
  // first signer pays the fees, and the last signer is the wallet. Nodes list a transaction under every account that it
  // contains.
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
