/** Verifies a signed transaction against the one that was built. */
import { getBase16Decoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isSignedBy } from "./verifySignature.js"
import { isSame, read, type Wire, write } from "./wireTransaction.js"

/** The wallet signed another message than the one that was built. */
export class TransactionModified extends Schema.TaggedError<TransactionModified>()("TransactionModified", {
  message: Schema.String
}) {}

/** The wallet's signature is missing or invalid. */
export class InvalidSignature extends Schema.TaggedError<InvalidSignature>()("InvalidSignature", {
  message: Schema.String
}) {}

/** The string is not a transaction. */
export class Malformed extends Schema.TaggedError<Malformed>()("Malformed", { message: Schema.String }) {}

/** A transaction that the wallet signed. */
export interface Inspected {
  /** Base64 of the wire transaction, with only the wallet's signature. */
  readonly transaction: string
  /** SHA-256 of the message, in hex. */
  readonly messageHash: string
}

const hashOf = (message: Uint8Array): Effect.Effect<string> =>
  Effect.promise(async () => {
    const digest = await crypto.subtle.digest("SHA-256", Uint8Array.from(message))
    return `0x${getBase16Decoder().decode(new Uint8Array(digest))}`
  })

/** Decodes a transaction that we built. */
const built = (unsigned: string): Effect.Effect<Wire> =>
  Effect.suspend(() => {
    const wire = read(unsigned)
    return wire === undefined ? Effect.die("The transaction that was built cannot be decoded.") : Effect.succeed(wire)
  })

/** The hash that a wallet's signature covers: SHA-256 of the transaction's message, in hex. */
export const messageHash = (unsigned: string): Effect.Effect<string> =>
  Effect.flatMap(built(unsigned), ({ message }) => hashOf(message))

/**
 * Extracts the wallet's signature from a signed transaction, if its message is byte for byte the one that was built.
 * Ignores the relayer's signature.
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
        "This is not a Solana transaction in base64. Send the transaction that was built, with only the wallet's signature added."
    })
  }
  if (!isSame(given.message, message)) {
    return yield* new TransactionModified({
      message:
        "The signed transaction is not the one that was built. Wallets that set fees automatically do this. Turn off the wallet's automatic priority fees (compute unit price and limit) for this site, or use another wallet, and start with a new quote."
    })
  }
  const signature = given.signatures[signers.indexOf(wallet)]
  if (signature === undefined || signature.every((byte) => byte === 0)) {
    return yield* new InvalidSignature({ message: `The transaction has no signature of the wallet ${wallet}.` })
  }
  if (!(yield* isSignedBy(wallet, signature, message))) {
    return yield* new InvalidSignature({
      message: `The signature is not a valid signature of the wallet ${wallet} over this transaction. Sign with the wallet of the quote.`
    })
  }
  return {
    transaction: write({ message, signers }, new Map([[wallet, signature]])),
    messageHash: yield* hashOf(message)
  }
})
