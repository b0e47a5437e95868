/** Verifies that a wallet's response is the wallet's own signature over the requested hash. */
import { Chain, type Hex, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { parseSignature } from "./parseSignature.js"
import { isObject, type Properties } from "./properties.js"
import { candidates, recoverSignature, recoverSigner, type Signature } from "./recoverSignature.js"
import type { Tuple } from "./wallet.js"
import { signerError } from "./walletError.js"
import type { WrongHash } from "./wrongHashDiagnostics.js"

/** The wallet whose signature is expected. */
export interface WalletIdentity {
  /** The wallet's name in error messages. */
  readonly who: string
  readonly address: string
}

/** Reads a value that a wallet returned. Returns `otherwise` if reading one of its properties throws. */
const tryRead = <A>(read: () => A, otherwise: A): A => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

const wrongSignerMessage = ({ address, who }: WalletIdentity, signer: string | undefined): string =>
  `${who} signed with a different key: expected ${address}${signer === undefined ? "" : `, got ${signer}`}. Select ${address} in the wallet, or create the signer with the key's address.`

/**
 * Returns the wallet's signature over a hash. If the wallet signed one of `wrongHashes`, the error names the mistake.
 */
export const verifySignature = Effect.fnUntraced(function* (
  wallet: WalletIdentity,
  hash: Hex.Hex,
  answer: unknown,
  wrongHashes: Effect.Effect<ReadonlyArray<WrongHash>>
): Effect.fn.Return<Signature, SwapError.SignerError> {
  const { address, who } = wallet
  const invalid = (message: string) => signerError("invalid", message)
  const parsed = tryRead(() => parseSignature(answer), "an object whose properties throw")
  if (typeof parsed === "string") return yield* invalid(`${who} returned ${parsed}.`)
  const signatures = candidates(parsed)
  const [first] = signatures
  if (first === undefined) return yield* invalid(`${who} returned a signature whose r or s is out of range.`)
  const signature = recoverSignature(address, hash, signatures)
  if (signature !== undefined) return signature
  for (const [message, other] of yield* wrongHashes) {
    if (recoverSignature(address, other, signatures) !== undefined) return yield* invalid(`${who} ${message}.`)
  }
  // Without a parity, the signature could come from either of two keys.
  const signer = parsed[0]?.yParity === undefined ? undefined : recoverSigner(hash, first)
  return yield* invalid(wrongSignerMessage(wallet, signer))
})

/**
 * Describes a number that differs from the requested one. The number is shown only if it is a safe integer, because a
 * larger number may be a secret.
 */
const numberMismatch = (what: string, returned: unknown, requested: number): string | undefined => {
  if (returned === undefined || returned === null) return undefined
  const found = Number(returned)
  if (found === requested) return undefined
  return Number.isSafeInteger(found) ? `${what} ${found} instead of ${requested}` : `a ${what} other than ${requested}`
}

const tupleMismatch = (answer: unknown, tuple: Tuple): string | undefined => {
  if (!isObject(answer)) return undefined
  const { address, chainId, contractAddress, nonce } = answer as Properties<keyof Tuple | "contractAddress">
  const number = numberMismatch("chain", chainId, tuple.chainId) ?? numberMismatch("nonce", nonce, tuple.nonce)
  if (number !== undefined) return number
  const contracts = [address, contractAddress].filter((returned) => returned !== undefined && returned !== null)
  const isOther = (returned: unknown) =>
    !Chain.isAddress("evm", returned) || !Chain.sameAddress("evm", returned, tuple.address)
  return contracts.some(isOther) ? `a contract other than ${tuple.address}` : undefined
}

/** Fails if the authorization that a wallet returned names a different chain, contract or nonce than requested. */
export const verifyTuple = (
  { who }: WalletIdentity,
  tuple: Tuple,
  answer: unknown
): Effect.Effect<void, SwapError.SignerError> =>
  Effect.suspend(() => {
    const other = tryRead(() => tupleMismatch(answer, tuple), "an object whose properties throw")
    return other === undefined
      ? Effect.void
      : Effect.fail(signerError("invalid", `${who} returned a delegation for ${other}. Do not use this delegation.`))
  })
