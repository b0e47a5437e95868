/** What a wallet answered, accepted only where it is its signature over what it was asked to sign. */
import { Chain, type Hex, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { candidates, recoverSignature, type Signature, recoverSigner } from "./recoverSignature.js"
import { signerError } from "./walletError.js"
import { parseSignature } from "./parseSignature.js"
import { isObject, type Properties } from "./properties.js"
import type { WrongHash } from "./wrongHashDiagnostics.js"
import type { Tuple } from "./wallet.js"

/** Who signed, and as whom. */
export interface WalletIdentity {
  /** What errors call the wallet. */
  readonly who: string
  readonly address: string
}

/** Reads something that a wallet gave, whose members may throw. */
const tryRead = <A>(read: () => A, otherwise: A): A => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

const wrongSignerMessage = ({ address, who }: WalletIdentity, signer: string | undefined): string =>
  `${who} signed with another key than that of ${address}${signer === undefined ? "" : `: the signature is by ${signer}`}. Select the account ${address} there, or make the signer with the address that the key belongs to.`

/** The wallet's signature over a hash. Fails in words about what else it is, `mistakes` being what it may be. */
export const verifySignature = Effect.fnUntraced(function* (
  wallet: WalletIdentity,
  hash: Hex.Hex,
  answer: unknown,
  wrongHashes: () => ReadonlyArray<WrongHash>
): Effect.fn.Return<Signature, SwapError.SignerError> {
  const { address, who } = wallet
  const invalid = (message: string) => signerError("invalid", message)
  const parsed = tryRead(() => parseSignature(answer), "something that cannot be read")
  if (typeof parsed === "string") return yield* invalid(`${who} gave back ${parsed}.`)
  const signatures = candidates(parsed)
  const [first] = signatures
  if (first === undefined) return yield* invalid(`${who} gave back a signature whose r or s no key can make.`)
  const signature = yield* recoverSignature(address, hash, signatures)
  if (signature !== undefined) return signature
  for (const [message, other] of wrongHashes()) {
    if ((yield* recoverSignature(address, other, signatures)) !== undefined) return yield* invalid(`${who} ${message}.`)
  }
  // Without a parity, either of two keys may have signed.
  const signer = parsed[0]?.yParity === undefined ? undefined : yield* recoverSigner(hash, first)
  return yield* invalid(wrongSignerMessage(wallet, signer))
})

/** Another number than was asked for. What a wallet names may be anything, a key too: only what can be one is shown. */
const numberMismatch = (what: string, named: unknown, asked: number): string | undefined => {
  if (named === undefined || named === null) return undefined
  const found = Number(named)
  if (found === asked) return undefined
  return Number.isSafeInteger(found) ? `${what} ${found} instead of ${asked}` : `another ${what} than ${asked}`
}

const tupleMismatch = (answer: unknown, tuple: Tuple): string | undefined => {
  if (!isObject(answer)) return undefined
  const { address, chainId, contractAddress, nonce } = answer as Properties<keyof Tuple | "contractAddress">
  const number = numberMismatch("chain", chainId, tuple.chainId) ?? numberMismatch("nonce", nonce, tuple.nonce)
  if (number !== undefined) return number
  const contracts = [address, contractAddress].filter((named) => named !== undefined && named !== null)
  const isOther = (named: unknown) => !Chain.isAddress("evm", named) || !Chain.sameAddress("evm", named, tuple.address)
  return contracts.some(isOther) ? `another contract than ${tuple.address}` : undefined
}

/** Fails where an authorization names another chain, contract or nonce than was asked for. */
export const verifyTuple = (
  { who }: WalletIdentity,
  tuple: Tuple,
  answer: unknown
): Effect.Effect<void, SwapError.SignerError> =>
  Effect.suspend(() => {
    const other = tryRead(() => tupleMismatch(answer, tuple), "something that cannot be read")
    return other === undefined
      ? Effect.void
      : Effect.fail(signerError("invalid", `${who} gave back a delegation for ${other}. Do not use it.`))
  })
