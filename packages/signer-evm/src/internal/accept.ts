/** What a wallet answered, accepted only where it is its signature over what it was asked to sign. */
import { Chain, type Hex, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { candidates, confirm, type Signature, signerOf } from "./confirm.js"
import { signerError } from "./failure.js"
import { readSignature } from "./forms.js"
import { hasMembers, type Members } from "./given.js"
import type { Mistake } from "./mistakes.js"
import type { Tuple } from "./wallet.js"

/** Who signed, and as whom. */
export interface Asked {
  /** What errors call the wallet. */
  readonly who: string
  readonly address: string
}

/** Reads something that a wallet gave, whose members may throw. */
const guarded = <A>(read: () => A, otherwise: A): A => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

const another = ({ address, who }: Asked, signer: string | undefined): string =>
  `${who} signed with another key than that of ${address}${signer === undefined ? "" : `: the signature is by ${signer}`}. Select the account ${address} there, or make the signer with the address that the key belongs to.`

/** The wallet's signature over a hash. Fails in words about what else it is, `mistakes` being what it may be. */
export const accept = Effect.fnUntraced(function* (
  asked: Asked,
  hash: Hex.Hex,
  answer: unknown,
  mistakes: () => ReadonlyArray<Mistake>
): Effect.fn.Return<Signature, SwapError.SignerError> {
  const { address, who } = asked
  const invalid = (words: string) => signerError("invalid", words)
  const readings = guarded(() => readSignature(answer), "something that cannot be read")
  if (typeof readings === "string") return yield* invalid(`${who} gave back ${readings}.`)
  const signatures = candidates(readings)
  const [first] = signatures
  if (first === undefined) return yield* invalid(`${who} gave back a signature whose r or s no key can make.`)
  const signature = yield* confirm(address, hash, signatures)
  if (signature !== undefined) return signature
  for (const [words, other] of mistakes()) {
    if ((yield* confirm(address, other, signatures)) !== undefined) return yield* invalid(`${who} ${words}.`)
  }
  // Without a parity, either of two keys may have signed.
  const signer = readings[0]?.yParity === undefined ? undefined : yield* signerOf(hash, first)
  return yield* invalid(another(asked, signer))
})

/** Another number than was asked for. What a wallet names may be anything, a key too: only what can be one is shown. */
const otherNumber = (what: string, named: unknown, asked: number): string | undefined => {
  if (named === undefined || named === null) return undefined
  const found = Number(named)
  if (found === asked) return undefined
  return Number.isSafeInteger(found) ? `${what} ${found} instead of ${asked}` : `another ${what} than ${asked}`
}

const names = (answer: unknown, tuple: Tuple): string | undefined => {
  if (!hasMembers(answer)) return undefined
  const { address, chainId, contractAddress, nonce } = answer as Members<keyof Tuple | "contractAddress">
  const number = otherNumber("chain", chainId, tuple.chainId) ?? otherNumber("nonce", nonce, tuple.nonce)
  if (number !== undefined) return number
  const contracts = [address, contractAddress].filter((named) => named !== undefined && named !== null)
  const isOther = (named: unknown) => !Chain.isAddress("evm", named) || !Chain.sameAddress("evm", named, tuple.address)
  return contracts.some(isOther) ? `another contract than ${tuple.address}` : undefined
}

/** Fails where an authorization names another chain, contract or nonce than was asked for. */
export const sameTuple = ({ who }: Asked, tuple: Tuple, answer: unknown): Effect.Effect<void, SwapError.SignerError> =>
  Effect.suspend(() => {
    const other = guarded(() => names(answer, tuple), "something that cannot be read")
    return other === undefined
      ? Effect.void
      : Effect.fail(signerError("invalid", `${who} gave back a delegation for ${other}. Do not use it.`))
  })
