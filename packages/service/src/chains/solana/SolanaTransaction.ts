/** What a wallet gave back, held against the transaction that it was asked to sign. */
import { getBase16Decoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isSignedBy } from "./verifySignature.js"
import { isSame, read, type Wire, write } from "./wireTransaction.js"

/** The wallet signed another message than the one that was built. */
export class TransactionModified extends Schema.TaggedError<TransactionModified>()("TransactionModified", {
  message: Schema.String
}) {}

/** The wallet's signature is missing, or is not the wallet's over this message. */
export class InvalidSignature extends Schema.TaggedError<InvalidSignature>()("InvalidSignature", {
  message: Schema.String
}) {}

/** It is no transaction. */
export class Malformed extends Schema.TaggedError<Malformed>()("Malformed", { message: Schema.String }) {}

/** A transaction that the wallet signed. */
export interface Inspected {
  /** Base64 of the wire transaction with the wallet's signature and no other. */
  readonly transaction: string
  /** SHA-256 of the message, in hex. */
  readonly messageHash: string
}

const hashOf = (message: Uint8Array): Effect.Effect<string> =>
  Effect.promise(async () => {
    const digest = await crypto.subtle.digest("SHA-256", Uint8Array.from(message))
    return `0x${getBase16Decoder().decode(new Uint8Array(digest))}`
  })

/** What we built ourselves can be read. */
const built = (unsigned: string): Effect.Effect<Wire> =>
  Effect.suspend(() => {
    const wire = read(unsigned)
    return wire === undefined ? Effect.die("The transaction that was built cannot be read.") : Effect.succeed(wire)
  })

/** The hash of what a wallet signs: SHA-256 of the message of a transaction, in hex. */
export const messageHash = (unsigned: string): Effect.Effect<string> =>
  Effect.flatMap(built(unsigned), ({ message }) => hashOf(message))

/**
 * Takes the wallet's signature out of what it gave back, if the message is byte for byte the one that was built. What is
 * in the relayer's place is not looked at.
 */
export const inspect = Effect.fn("SolanaTransaction.inspect")(function* (
  unsigned: string,
  signed: string,
  wallet: string
): Effect.fn.Return<Inspected, TransactionModified | InvalidSignature | Malformed> {
  const { message, signers } = yield* built(unsigned)
  const given = read(signed)
  if (given === undefined) {
    return yield* new Malformed({
      message:
        "This is no Solana transaction in base64, or more than one. Send the transaction that was built, with the wallet's signature added and nothing else."
    })
  }
  if (!isSame(given.message, message)) {
    return yield* new TransactionModified({
      message:
        "The signed transaction is not the one that was built. Wallets that set fees by themselves do this: turn off the wallet's automatic priority fees (its compute unit price and limit) for this site, or use another wallet, and begin with a fresh quote."
    })
  }
  const signature = given.signatures[signers.indexOf(wallet)]
  if (signature === undefined || signature.every((byte) => byte === 0)) {
    return yield* new InvalidSignature({ message: `The transaction has no signature of the wallet ${wallet}.` })
  }
  if (!(yield* isSignedBy(wallet, signature, message))) {
    return yield* new InvalidSignature({
      message: `The signature is not the wallet ${wallet}'s over this transaction. Sign with the account that asked for the quote.`
    })
  }
  return {
    transaction: write({ message, signers }, new Map([[wallet, signature]])),
    messageHash: yield* hashOf(message)
  }
})
