/** Looking at what a wallet gave back. Only the wallet's signature is taken from it. */
import { Chain, SwapError } from "@geoswap/core"
import { type Address, getPublicKeyFromAddress, type SignatureBytes, verifySignature } from "@solana/kit"
import * as Effect from "effect/Effect"
import { changesOf } from "./changes.js"
import type { Fitting } from "./judge.js"
import { bytesOfSignature } from "./signature.js"
import type { Answer, Wallet } from "./wallet.js"
import { fromText, maxBytes, parse, type Wire } from "./wire.js"
import { isBytes, kindOf, sizeOf } from "./words.js"

/** Where the wallet's signature is, in a transaction of two signers: behind the count and the fee payer's. */
const slot = 1 + 64

const invalid = (message: string) => new SwapError.SignerError({ reason: "invalid", message })

/** A transaction out of whatever was given back, or why it is none. */
const transactionOf = (given: unknown): Wire | string => {
  if (!isBytes(given) && typeof given !== "string") return kindOf(given)
  const size = isBytes(given) ? sizeOf(given) : Math.floor((given.length * 3) / 4)
  if (size > maxBytes + 2) return `${size} bytes, more than a transaction has,`
  try {
    return parse(isBytes(given) ? new Uint8Array(given) : fromText(given))
  } catch {
    return `${kindOf(given)} that are no transaction`
  }
}

const isSame = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((byte, index) => byte === b[index])

/** What to do about a wallet that changes what it signs: a fee is a setting, and anything else a matter of trust. */
const adviceOn = (isFee: boolean): string =>
  isFee
    ? "GeoSwap submitted nothing. Turn off the wallet's own fee or priority setting for this site, or use another wallet."
    : "GeoSwap submitted nothing. The wallet signed something that you did not agree to: do not trust it with this, and use another wallet."

/** The wallet's signature in a transaction that is otherwise what it was, or what is wrong with it. */
const signatureIn = (wallet: Wallet, asked: Fitting, given: unknown): Uint8Array | string => {
  const { address, name } = wallet
  const wire = transactionOf(given)
  if (typeof wire === "string") return `${name} gave back ${wire} in place of a signed transaction.`
  const { message, transaction } = wire
  if (!isSame(transaction.messageBytes, asked.transaction.messageBytes)) {
    const { isFee, words } = changesOf(asked.message, message)
    return `${name} changed the transaction before signing it: ${words}. ${adviceOn(isFee)}`
  }
  const feePayer = asked.message.staticAccounts[0] as Address
  const paying = transaction.signatures[feePayer]
  // Whether it emptied the place is no matter: nothing but the wallet's own signature is taken.
  if (paying && !isSame(paying, asked.transaction.signatures[feePayer] ?? [])) {
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
export const verifierOf = (address: string): Effect.Effect<CryptoKey, SwapError.SignerError> =>
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
    if ("noList" in answer) return `${name} gave back ${kindOf(answer.noList)} in place of a list of what it signed.`
    if ("transaction" in answer) return signatureIn(wallet, asked, answer.transaction)
    const { signature } = answer
    return bytesOfSignature(signature) ?? `${name} gave back ${kindOf(signature)} in place of a signature of 64 bytes.`
  } catch {
    return `${name} gave back something that throws when it is looked at.`
  }
}

/** The wallet's other accounts, of which nothing is certain. */
const othersOf = (wallet: Wallet, answer: Answer): ReadonlyArray<string> => {
  try {
    const others = "noList" in answer ? [] : (answer.others?.() ?? [])
    return others.filter((each) => Chain.isAddress("solana", each)).filter((each) => each !== wallet.address)
  } catch {
    // They only make the words of an error better.
    return []
  }
}

/** Which of the wallet's other accounts a signature is of. */
const otherSigner = Effect.fnUntraced(function* (others: ReadonlyArray<string>, signature: Uint8Array, asked: Fitting) {
  for (const other of others.slice(0, 20)) {
    if (yield* verified(yield* verifierOf(other), signature, asked)) return other
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
    const other = yield* Effect.orElseSucceed(otherSigner(othersOf(wallet, answer), signature, asked), () => undefined)
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
