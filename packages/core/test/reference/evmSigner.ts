/** EVM signers of a third party with viem: one with effects and a key, one with promises and a KMS. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { hashMessage, hashStruct, hashTypedData, type Hex, pad, recoverAddress, serializeSignature, toHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { hashAuthorization } from "viem/utils"
import { Chain, Delegation, Operation, Quote, type Signer, SwapError } from "../../src/index.js"

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** An address of either family as 32 bytes. */
const wordOf = (address: string): Hex =>
  address.startsWith("0x")
    ? pad(address as Hex, { size: 32 })
    : toHex(
        Array.from(address).reduce((value, char) => value * 58n + BigInt(base58.indexOf(char)), 0n),
        { size: 32 }
      )

const Terms = [
  { name: "destinationChain", type: "uint256" },
  { name: "outputToken", type: "bytes32" },
  { name: "recipient", type: "bytes32" },
  { name: "minOutput", type: "uint256" }
] as const

const types = {
  GeoOp: [
    { name: "wallet", type: "address" },
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
    { name: "vault", type: "address" },
    { name: "orderId", type: "bytes32" },
    { name: "terms", type: "Terms" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" }
  ],
  Terms
} as const

/** The destination terms with addresses as 32 bytes. */
export interface TermsFields {
  readonly destinationChain: bigint
  readonly outputToken: Hex
  readonly recipient: Hex
  readonly minOutput: bigint
}

type Agreed = Pick<Operation.Agreement, "request" | "quote">

/** The agreed destination terms. */
const fieldsOf = ({ request, quote }: Agreed): TermsFields => ({
  destinationChain: BigInt(request.destinationChain),
  outputToken: wordOf(request.outputToken),
  recipient: wordOf(request.recipient ?? request.walletAddress),
  minOutput: Quote.minOutputOf(quote)
})

/** The EIP-712 hash of destination terms. */
export const hashOf = (data: TermsFields): Hex => hashStruct({ types: { Terms }, primaryType: "Terms", data })

/** The EIP-712 hash of the agreed destination terms. */
export const termsOf = (agreed: Agreed): Hex => hashOf(fieldsOf(agreed))

/** The typed data of an operation, as a wallet displays it. */
export const typedDataOf = (geoOp: Operation.GeoOp, terms: TermsFields) =>
  ({
    domain: { name: "GeoSwap", version: "1", chainId: geoOp.chainId, verifyingContract: geoOp.delegate },
    types,
    primaryType: "GeoOp",
    message: { ...geoOp, terms, deadline: BigInt(geoOp.deadline) }
  }) as const

/** The EIP-712 digest of an operation with the agreed terms. */
export const digestOf = (geoOp: Operation.GeoOp, agreed: Agreed): Hex =>
  hashTypedData(typedDataOf(geoOp, fieldsOf(agreed)))

/** The problem with an operation, or `undefined`. */
export const problemOf = (operation: Signer.OperationToSign, now: number): SwapError.UnsafeOperation | undefined => {
  const { geoOp, geoOpHash } = operation
  if (geoOp === undefined) return Operation.unsafe("geoOp", "the fields behind geoOpHash", "absent")
  const broken = Operation.compare(geoOp, operation, now)
  if (broken !== undefined) return broken
  const terms = termsOf(operation)
  if (terms !== geoOp.terms) return Operation.unsafe("terms", terms, geoOp.terms)
  const digest = digestOf(geoOp, operation)
  if (digest !== geoOpHash) return Operation.unsafe("geoOpHash", digest, geoOpHash)
  return undefined
}

/** Why a delegation may not be signed, or `undefined`. */
export const delegationProblemOf = (tuple: Signer.AuthorizationToSign): SwapError.UnsafeOperation | undefined => {
  const pinned = tuple.deployment?.delegates ?? []
  if (tuple.chainId === 0) return Operation.unsafe("chainId", "one chain", "0, which is every chain")
  if (Delegation.isZeroAddress(tuple.address)) return Operation.unsafe("delegate", "a contract", "the zero address")
  return pinned.some((delegate) => Chain.sameAddress("evm", delegate, tuple.address))
    ? undefined
    : Operation.unsafe("delegate", `one of the pinned delegates ${pinned.join(", ")}`, tuple.address)
}

/** Why the removal of a delegation may not be signed, or `undefined`. */
export const revocationProblemOf = ({ chainId }: Signer.RevocationToSign): SwapError.UnsafeOperation | undefined =>
  chainId === 0 ? Operation.unsafe("chainId", "one chain", "0, which is every chain") : undefined

const failed = (cause: unknown) =>
  new SwapError.SignerError({ reason: "failed", message: "The key could not be used.", cause })

/** A signer with effects for a key in memory. */
export const fromPrivateKey = (privateKey: Hex): Signer.Evm => {
  const account = privateKeyToAccount(privateKey)
  const signTuple = ({ address, chainId, nonce }: Omit<Signer.AuthorizationToSign, "deployment">) =>
    Effect.tryPromise({
      try: async () => {
        const { r, s, yParity } = await account.signAuthorization({ chainId, address, nonce })
        return { chainId, address, nonce, yParity: yParity === 0 ? (0 as const) : (1 as const), r, s }
      },
      catch: failed
    })
  return {
    address: account.address,
    capabilities: { authorization: true },
    verifyOperation: (operation) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const problem = problemOf(operation, now)
        return problem === undefined ? Effect.void : Effect.fail(problem)
      }),
    signOperation: ({ geoOpHash }) =>
      Effect.tryPromise({ try: () => account.signMessage({ message: { raw: geoOpHash } }), catch: failed }),
    signAuthorization: (tuple) => {
      const problem = delegationProblemOf(tuple)
      if (problem !== undefined) return Effect.fail(problem)
      return signTuple(tuple)
    },
    signRevocation: (revocation) => {
      const problem = revocationProblemOf(revocation)
      return problem === undefined
        ? signTuple({ ...revocation, address: Delegation.zeroAddress })
        : Effect.fail(problem)
    }
  }
}

/** The result of a key service: a signature over 32 bytes, without recovery id and with any s. */
export interface KeyService {
  readonly sign: (digest: Hex) => Promise<{ readonly r: bigint; readonly s: bigint }>
}

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** A signer with promises for a key service without Ethereum support. */
export class KmsSigner implements Signer.PromiseEvmSigner {
  readonly address: Hex
  readonly capabilities = { authorization: true }
  readonly #service: KeyService

  constructor(address: Hex, service: KeyService) {
    this.address = address
    this.#service = service
  }

  verifyOperation(operation: Signer.OperationToSign): void {
    const problem = problemOf(operation, Date.now())
    if (problem !== undefined) throw problem
  }

  async signOperation({ geoOpHash }: Signer.OperationToSign): Promise<Hex> {
    return serializeSignature(await this.#sign(hashMessage({ raw: geoOpHash })))
  }

  async signAuthorization(tuple: Signer.AuthorizationToSign) {
    const problem = delegationProblemOf(tuple)
    if (problem !== undefined) throw problem
    const { chainId, address, nonce } = tuple
    return { chainId, address, nonce, ...(await this.#sign(hashAuthorization({ chainId, address, nonce }))) }
  }

  async signRevocation(revocation: Signer.RevocationToSign) {
    const problem = revocationProblemOf(revocation)
    if (problem !== undefined) throw problem
    const tuple = { chainId: revocation.chainId, address: Delegation.zeroAddress, nonce: revocation.nonce }
    return { ...tuple, ...(await this.#sign(hashAuthorization(tuple))) }
  }

  /** Makes s low, and finds the recovery id of our key. */
  async #sign(hash: Hex) {
    const { r, s } = await this.#service.sign(hash)
    const words = { r: toHex(r, { size: 32 }), s: toHex(s > order / 2n ? order - s : s, { size: 32 }) }
    for (const yParity of [0, 1] as const) {
      const recovered = await recoverAddress({ hash, signature: { ...words, yParity } })
      if (Chain.sameAddress("evm", recovered, this.address)) return { ...words, yParity }
    }
    throw new SwapError.SignerError({ reason: "invalid", message: "The key service signed with another key." })
  }
}
