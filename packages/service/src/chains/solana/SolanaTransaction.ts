/** Verifies a signed transaction against the transaction that was built. */
import { getBase16Decoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isSignedBy } from "./accounts/ed25519.js"
import { isSame, read, type Wire, write } from "./transactions/wireTransaction.js"

/** The wallet signed a message that differs from the message that was built. */
export class TransactionModified extends Schema.TaggedError<TransactionModified>()("TransactionModified", {
  message: Schema.String
}) {}

/** The wallet's signature is missing or invalid. */
export class InvalidSignature extends Schema.TaggedError<InvalidSignature>()("InvalidSignature", {
  message: Schema.String
}) {}

/** The string is not a transaction. */
export class Malformed extends Schema.TaggedError<Malformed>()("Malformed", { message: Schema.String }) {}

const hashOf = (message: Uint8Array) =>
  Effect.promise(async () => {
    const digest = await crypto.subtle.digest("SHA-256", Uint8Array.from(message))
    return `0x${getBase16Decoder().decode(new Uint8Array(digest))}`
  })

/** Decodes a transaction that we built. */
const built = (unsigned: string): Effect.Effect<Wire> =>
  Effect.suspend(() => {
    const wire = read(unsigned)
    return wire === undefined ? Effect.die("The built transaction cannot be decoded.") : Effect.succeed(wire)
  })

/** Returns the SHA-256 hash of the message that the wallet signs, in hex. */
export const messageHash = (unsigned: string) => Effect.flatMap(built(unsigned), ({ message }) => hashOf(message))

/**
 * Extracts the wallet's signature from a signed transaction whose message matches the built message byte for byte.
 * Ignores the relayer's signature.
 */
export const inspect = Effect.fn("SolanaTransaction.inspect")(function* (
  unsigned: string,
  signed: string,
  wallet: string
) {
  const { message, signers } = yield* built(unsigned)
  const given = read(signed)
  if (given === undefined) {
    return yield* new Malformed({
      message:
        "This is not a base64-encoded Solana transaction. Send the transaction that was built, with only the wallet's signature added."
    })
  }
  if (!isSame(given.message, message)) {
    return yield* new TransactionModified({
      message:
        "The signed transaction is not the one that was built. Wallets that set fees automatically can cause this. Turn off the wallet's automatic priority fees (compute unit price and limit) for this site, or use another wallet. Then start with a new quote."
    })
  }
  const signature = given.signatures[signers.indexOf(wallet)]
  if (signature === undefined || signature.every((byte) => byte === 0)) {
    return yield* new InvalidSignature({
      message: `The transaction is not signed by the wallet ${wallet}. Sign it with that wallet.`
    })
  }
  if (!(yield* isSignedBy(wallet, signature, message))) {
    return yield* new InvalidSignature({
      message: `The signature for the wallet ${wallet} does not match this transaction. Sign the transaction with the wallet specified in the quote.`
    })
  }
  return {
    /** The wire transaction in base64, with only the wallet's signature. */
    transaction: write({ message, signers }, new Map([[wallet, signature]])),
    /** The SHA-256 hash of the message, in hex. */
    messageHash: yield* hashOf(message)
  }
})
