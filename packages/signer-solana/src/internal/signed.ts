/** Looking at what a wallet gave back. Only the wallet's signature is taken from it. */
import { Chain, SwapError } from "@geoswap/core"
import { type Address, getPublicKeyFromAddress, type SignatureBytes, verifySignature } from "@solana/kit"
import * as Effect from "effect/Effect"
import { changesOf } from "./changes.js"
import type { Fitting } from "./judge.js"
import { bytesOfSignature } from "./signature.js"
import type { Answer, Wallet } from "./wallet.js"
import { fromText, maxBytes, parse, type Wire } from "./wire.js"
import { isBytes, kindOf } from "./words.js"

/** Where the wallet's signature is, in a transaction of two signers: behind the count and the fee payer's. */
const slot = 1 + 64

const invalid = (message: string) => new SwapError.SignerError({ reason: "invalid", message })

/** A transaction out of whatever was given back, or why it is none. */
const transactionOf = (given: unknown): Wire | string => {
  if (!isBytes(given) && typeof given !== "string") return kindOf(given)
  const size = isBytes(given) ? given.length : Math.floor((given.length * 3) / 4)
  if (size > maxBytes + 2) return `${size} bytes, more than a transaction has,`
  try {
    return parse(isBytes(given) ? Uint8Array.from(given) : fromText(given))
  } catch {
    return `${kindOf(given)} that are no transaction`
  }
}

const isSame = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((byte, index) => byte === b[index])

const advice =
  "Nothing was submitted. Turn off the wallet's own fee, priority or protection setting for this site, or use another wallet."

/** The wallet's signature in a transaction that is otherwise what it was, or what is wrong with it. */
const signatureIn = (wallet: Wallet, asked: Fitting, given: unknown): Uint8Array | string => {
  const { address, name } = wallet
  const wire = transactionOf(given)
  if (typeof wire === "string") return `${name} gave back ${wire} in place of a signed transaction.`
  const { message, transaction } = wire
  if (!isSame(transaction.messageBytes, asked.transaction.messageBytes)) {
    return `${name} changed the transaction before signing it: ${changesOf(asked.message, message)}. ${advice}`
  }
  const feePayer = asked.message.staticAccounts[0] as Address
  const empty = new Uint8Array(64)
  if (!isSame(transaction.signatures[feePayer] ?? empty, asked.transaction.signatures[feePayer] ?? empty)) {
    return `${name} filled in the signature of the fee payer, which only the relayer can give. It must not send the transaction either: use a wallet that only signs.`
  }
  const signature = transaction.signatures[address as Address]
  return signature ? Uint8Array.from(signature) : `${name} gave the transaction back unsigned.`
}

const verified = (key: CryptoKey, signature: Uint8Array, asked: Fitting) =>
  Effect.tryPromise({
    try: () => verifySignature(key, signature as SignatureBytes, asked.transaction.messageBytes),
    catch: () => new SwapError.SignerError({ reason: "failed", message: "The signature could not be checked." })
  })

/** The key to check a wallet's signatures with. */
export const keyOf = (address: string): Effect.Effect<CryptoKey, SwapError.SignerError> =>
  Effect.tryPromise({
    try: () => getPublicKeyFromAddress(address as Address),
    catch: () =>
      new SwapError.SignerError({
        reason: "failed",
        message: "This runtime's WebCrypto cannot check Ed25519 signatures, or this is a page without https."
      })
  })

/** The wallet's signature in whatever it gave back, or what is wrong with that. */
const signatureOf = (wallet: Wallet, asked: Fitting, answer: Answer): Uint8Array | string => {
  const { name } = wallet
  try {
    if ("transaction" in answer) return signatureIn(wallet, asked, answer.transaction)
    const { signature } = answer
    return bytesOfSignature(signature) ?? `${name} gave back ${kindOf(signature)} in place of a signature of 64 bytes.`
  } catch {
    return `${name} gave back something that throws when it is looked at.`
  }
}

/** Which of the wallet's other accounts a signature is of. */
const otherSigner = Effect.fnUntraced(function* (others: ReadonlyArray<string>, signature: Uint8Array, asked: Fitting) {
  for (const other of others.filter((each) => Chain.isAddress("solana", each)).slice(0, 20)) {
    if (yield* verified(yield* keyOf(other), signature, asked)) return other
  }
  return undefined
})

/** The transaction that was asked for with the wallet's signature in its place, and with nothing else changed. */
export const complete = Effect.fnUntraced(function* (
  wallet: Wallet,
  key: CryptoKey,
  asked: Fitting,
  answer: Answer
): Effect.fn.Return<Uint8Array, SwapError.SignerError> {
  const { address, name } = wallet
  const signature = signatureOf(wallet, asked, answer)
  if (typeof signature === "string") return yield* invalid(signature)
  if (!(yield* verified(key, signature, asked))) {
    const other = yield* Effect.orElseSucceed(otherSigner(answer.others ?? [], signature, asked), () => undefined)
    return yield* invalid(
      other === undefined
        ? `${name} gave back a signature that is not ${address}'s over this transaction.`
        : `${name} signed with the account ${other} instead of ${address}. Switch the wallet back to that account.`
    )
  }
  const signed = Uint8Array.from(asked.bytes)
  signed.set(signature, slot)
  return signed
})
