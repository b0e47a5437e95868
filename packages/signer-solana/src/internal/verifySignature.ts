/** Looking at what a wallet gave back. Only the wallet's signature is taken from it. */
import { Chain, SwapError } from "@geoswap/core"
import {
  type Address,
  getPublicKeyFromAddress,
  type SignatureBytes,
  verifySignature as verifyEd25519
} from "@solana/kit"
import * as Effect from "effect/Effect"
import { fromBase64 } from "./base64.js"
import { isBytes, sizeOf } from "./bytes.js"
import { describeChanges } from "./describeChanges.js"
import { describeKind } from "./describeValue.js"
import { parseSignature } from "./parseSignature.js"
import { decodeTransaction, maxBytes, type ParsedTransaction } from "./parseTransaction.js"
import type { VerifiedTransaction } from "./verifyTransaction.js"
import type { Wallet, WalletAnswer } from "./wallet.js"

/** Where the wallet's signature is, in a transaction of two signers: behind the count and the fee payer's. */
const signatureOffset = 1 + 64

const invalid = (message: string) => new SwapError.SignerError({ reason: "invalid", message })

/** A transaction out of whatever was given back, or why it is none. */
const decodeAnswer = (given: unknown): ParsedTransaction | string => {
  if (!isBytes(given) && typeof given !== "string") return describeKind(given)
  const size = isBytes(given) ? sizeOf(given) : Math.floor((given.length * 3) / 4)
  if (size > maxBytes + 2) return `${size} bytes, more than a transaction has,`
  try {
    return decodeTransaction(isBytes(given) ? new Uint8Array(given) : fromBase64(given))
  } catch {
    return `${describeKind(given)} that are no transaction`
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
const signatureIn = (wallet: Wallet, verified: VerifiedTransaction, given: unknown): Uint8Array | string => {
  const { address, name } = wallet
  const decoded = decodeAnswer(given)
  if (typeof decoded === "string") return `${name} gave back ${decoded} in place of a signed transaction.`
  const { message, transaction } = decoded
  if (!isSame(transaction.messageBytes, verified.transaction.messageBytes)) {
    const { isFee, message: changes } = describeChanges(verified.message, message)
    return `${name} changed the transaction before signing it: ${changes}. ${adviceOn(isFee)}`
  }
  const feePayer = verified.message.staticAccounts[0] as Address
  const paying = transaction.signatures[feePayer]
  // Whether it emptied the place is no matter: nothing but the wallet's own signature is taken.
  if (paying && !isSame(paying, verified.transaction.signatures[feePayer] ?? [])) {
    return `${name} filled in the signature of the fee payer, which only the relayer can give. It must not send the transaction either: use a wallet that only signs.`
  }
  const signature = transaction.signatures[address as Address]
  return signature ? Uint8Array.from(signature) : `${name} gave the transaction back unsigned.`
}

const isSignatureOf = (key: CryptoKey, signature: Uint8Array, verified: VerifiedTransaction) =>
  Effect.tryPromise({
    try: () => verifyEd25519(key, signature as SignatureBytes, verified.transaction.messageBytes),
    catch: () => new SwapError.SignerError({ reason: "failed", message: "The signature could not be checked." })
  })

/** The key to check a wallet's signatures with. */
export const importVerificationKey = (address: string): Effect.Effect<CryptoKey, SwapError.SignerError> =>
  Effect.tryPromise({
    try: () => getPublicKeyFromAddress(address as Address),
    catch: () =>
      new SwapError.SignerError({
        reason: "failed",
        message: "This runtime's WebCrypto cannot check Ed25519 signatures, or this is a page without https."
      })
  })

/** The wallet's signature in whatever it gave back, or what is wrong with that. */
const signatureOf = (wallet: Wallet, verified: VerifiedTransaction, answer: WalletAnswer): Uint8Array | string => {
  const { name } = wallet
  try {
    if ("noList" in answer)
      return `${name} gave back ${describeKind(answer.noList)} in place of a list of what it signed.`
    if ("transaction" in answer) return signatureIn(wallet, verified, answer.transaction)
    const { signature } = answer
    return (
      parseSignature(signature) ?? `${name} gave back ${describeKind(signature)} in place of a signature of 64 bytes.`
    )
  } catch {
    return `${name} gave back something that throws when it is looked at.`
  }
}

/** The wallet's other accounts, of which nothing is certain. */
const othersOf = (wallet: Wallet, answer: WalletAnswer): ReadonlyArray<string> => {
  try {
    const others = "noList" in answer ? [] : (answer.others?.() ?? [])
    return others.filter((each) => Chain.isAddress("solana", each)).filter((each) => each !== wallet.address)
  } catch {
    // They only make the words of an error better.
    return []
  }
}

/** Which of the wallet's other accounts a signature is of. */
const otherSigner = Effect.fnUntraced(function* (
  others: ReadonlyArray<string>,
  signature: Uint8Array,
  verified: VerifiedTransaction
) {
  for (const other of others.slice(0, 20)) {
    if (yield* isSignatureOf(yield* importVerificationKey(other), signature, verified)) return other
  }
  return undefined
})

/** The wallet's verified signature over the transaction; fails if the answer is anything else. */
export const verifySignature = Effect.fnUntraced(function* (
  wallet: Wallet,
  key: CryptoKey,
  verified: VerifiedTransaction,
  answer: WalletAnswer
): Effect.fn.Return<Uint8Array, SwapError.SignerError> {
  const { address, name } = wallet
  const signature = signatureOf(wallet, verified, answer)
  if (typeof signature === "string") return yield* invalid(signature)
  if (yield* isSignatureOf(key, signature, verified)) return signature
  const other = yield* Effect.orElseSucceed(otherSigner(othersOf(wallet, answer), signature, verified), () => undefined)
  return yield* invalid(
    other === undefined
      ? `${name} gave back a signature that is not ${address}'s over this transaction.`
      : `${name} signed with the account ${other} instead of ${address}. Switch the wallet back to that account.`
  )
})

/** The transaction with the wallet's signature in its place, and nothing else changed. */
export const insertSignature = ({ bytes }: VerifiedTransaction, signature: Uint8Array): Uint8Array => {
  const signed = Uint8Array.from(bytes)
  signed.set(signature, signatureOffset)
  return signed
}
