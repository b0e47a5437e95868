/** Verifies that a wallet's response contains the wallet's own signature over the unchanged transaction. */
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

/** The wallet's signature follows the signature count and the fee payer's signature. */
const signatureOffset = 1 + 64

const invalid = (message: string) => new SwapError.SignerError({ reason: "invalid", message })

/** Decodes a transaction, or describes the response if it is not a transaction. */
const decodeAnswer = (given: unknown): ParsedTransaction | string => {
  if (!isBytes(given) && typeof given !== "string") return describeKind(given)
  const size = isBytes(given) ? sizeOf(given) : Math.floor((given.length * 3) / 4)
  if (size > maxBytes + 2) return `${size} bytes, which is too many,`
  try {
    return decodeTransaction(isBytes(given) ? new Uint8Array(given) : fromBase64(given))
  } catch {
    return `${describeKind(given)}, which cannot be decoded,`
  }
}

const isSame = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((byte, index) => byte === b[index])

/**
 * Advice for the user of a wallet that changed the transaction. A changed fee comes from a wallet setting. Any other
 * change is suspicious.
 */
const adviceOn = (isFee: boolean): string =>
  isFee
    ? "GeoSwap submitted nothing. Turn off the wallet's fee or priority setting for this site, or use another wallet."
    : "GeoSwap submitted nothing. The wallet signed something that you did not agree to. Use another wallet."

/**
 * Extracts the wallet's signature from a transaction that is otherwise unchanged. If the transaction was changed or
 * cannot be decoded, describes what is wrong.
 */
const signatureIn = (wallet: Wallet, verified: VerifiedTransaction, given: unknown): Uint8Array | string => {
  const { address, name } = wallet
  const decoded = decodeAnswer(given)
  if (typeof decoded === "string") return `${name} returned ${decoded} instead of a signed transaction.`
  const { message, transaction } = decoded
  if (!isSame(transaction.messageBytes, verified.transaction.messageBytes)) {
    const { isFee, message: changes } = describeChanges(verified.message, message)
    return `${name} changed the transaction before signing it: ${changes}. ${adviceOn(isFee)}`
  }
  const feePayer = verified.message.staticAccounts[0] as Address
  const paying = transaction.signatures[feePayer]
  // It is harmless if the wallet removed the fee payer's signature, because only the wallet's own signature is used.
  if (paying && !isSame(paying, verified.transaction.signatures[feePayer] ?? [])) {
    return `${name} added a signature for the fee payer, which only the relayer can make. Use a wallet that signs without sending.`
  }
  const signature = transaction.signatures[address as Address]
  return signature ? Uint8Array.from(signature) : `${name} returned the transaction unsigned.`
}

const isSignatureOf = (key: CryptoKey, signature: Uint8Array, verified: VerifiedTransaction) =>
  Effect.tryPromise({
    try: () => verifyEd25519(key, signature as SignatureBytes, verified.transaction.messageBytes),
    catch: () => new SwapError.SignerError({ reason: "failed", message: "The signature could not be verified." })
  })

/** Imports an address's public key to verify its signatures. */
export const importVerificationKey = (address: string): Effect.Effect<CryptoKey, SwapError.SignerError> =>
  Effect.tryPromise({
    try: () => getPublicKeyFromAddress(address as Address),
    catch: () =>
      new SwapError.SignerError({
        reason: "failed",
        message:
          "WebCrypto cannot verify Ed25519 signatures here: the runtime does not support Ed25519, or the page is not served over HTTPS."
      })
  })

/** Extracts the signature from the wallet's response, or describes what is wrong with the response. */
const signatureOf = (wallet: Wallet, verified: VerifiedTransaction, answer: WalletAnswer): Uint8Array | string => {
  const { name } = wallet
  try {
    if ("notArray" in answer) return `${name} returned ${describeKind(answer.notArray)} instead of an array of results.`
    if ("transaction" in answer) return signatureIn(wallet, verified, answer.transaction)
    const { signature } = answer
    return parseSignature(signature) ?? `${name} returned ${describeKind(signature)} instead of a 64-byte signature.`
  } catch {
    return `${name} returned an object whose properties throw.`
  }
}

/** Returns the wallet's other accounts, or an empty array if they cannot be read. */
const othersOf = (wallet: Wallet, answer: WalletAnswer): ReadonlyArray<string> => {
  try {
    const others = "notArray" in answer ? [] : (answer.others?.() ?? [])
    return others.filter((each) => Chain.isAddress("solana", each)).filter((each) => each !== wallet.address)
  } catch {
    // Ignore the error, because the other accounts only improve an error message.
    return []
  }
}

/** Returns the wallet's other account that made the signature, if any. */
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

/** Returns the wallet's signature over the transaction. Fails if the response is anything else. */
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
      ? `${name} returned a signature that is not ${address}'s signature over this transaction.`
      : `${name} signed with account ${other} instead of ${address}. Switch the wallet back to ${address}.`
  )
})

/** Returns the transaction with only the wallet's signature added. */
export const insertSignature = ({ bytes }: VerifiedTransaction, signature: Uint8Array): Uint8Array => {
  const signed = Uint8Array.from(bytes)
  signed.set(signature, signatureOffset)
  return signed
}
