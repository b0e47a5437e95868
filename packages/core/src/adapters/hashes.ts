/** The EIP-712 hashes of operations, of payments, and of the terms that both commit to. */
import { encodeWords } from "../codecs/encodeWords.js"
import type { Hex } from "../Hex.js"
import type { GeoOp } from "../Operation.js"
import * as Payment from "../Payment.js"

type Keccak256 = (bytes: Uint8Array) => Hex
type Word = Hex | bigint | number

/** The hash of `EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)`. */
const domainType = "0x8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f"
/** The hash of `EIP712Domain(string name,uint256 chainId,address verifyingContract)`. */
const permit2DomainType = "0x8cad95687ba82c2ce50e74f7b754645e5117c3a5bec8151c0726d5857980a866"
const termsType = "0x45d2ce8baf96b834d0b45b81b54821401daf37f5043b9a65a17b19483d90b140"
const orderType = "0xd827f7d269cf1656dcb583568330e57001eca4560e055b9ccc1e63965f2bb136"
const operationType = "0xcacf0e6e88f534e5544e62808976fb645689447d52cdbcb2072f437e73b4d658"
const authorizationType = "0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8"
const permit2Type = "0xe70c775ea446e6b1ead16f2ec08bb5233cc18ad280a44a9f3834b31921bf145f"
/** The hash of `TokenPermissions(address token,uint256 amount)`. */
const permissionsType = "0x618358ac3db8dc274f0cd8829da7e234bd48cd73c4a740aede1adec9846d06a1"
const permitType = "0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9"

const hashWords = (keccak256: Keccak256, ...words: ReadonlyArray<Word>): Hex =>
  keccak256(encodeWords(words.map(BigInt)))

const hashText = (keccak256: Keccak256, text: string): Hex => keccak256(new TextEncoder().encode(text))

const digest = (keccak256: Keccak256, domain: Hex, struct: Hex): Hex =>
  keccak256(Uint8Array.of(0x19, 0x01, ...encodeWords([BigInt(domain), BigInt(struct)])))

/** The hash of an EIP-712 domain with a name, a version, a chain and a contract. */
export const hashDomain = (
  domain: { readonly name: string; readonly version: string },
  chainId: number,
  contract: Hex,
  keccak256: Keccak256
): Hex =>
  hashWords(
    keccak256,
    domainType,
    hashText(keccak256, domain.name),
    hashText(keccak256, domain.version),
    chainId,
    contract
  )

/** The hash of Permit2's EIP-712 domain on a chain. */
export const hashPermit2Domain = (chainId: number, keccak256: Keccak256): Hex =>
  hashWords(keccak256, permit2DomainType, hashText(keccak256, "Permit2"), chainId, Payment.permit2Address)

/** The EIP-712 hash of the terms, from the bytes that `Operation.encodeTerms` returns. */
export const hashTerms = (encodedTerms: Uint8Array, keccak256: Keccak256): Hex =>
  keccak256(Uint8Array.of(...encodeWords([BigInt(termsType)]), ...encodedTerms))

/** The EIP-712 hash of the order that a payment is for: the nonce in EIP-3009, and the witness in Permit2. */
export const hashOrder = (
  { chainId, orderId, terms, wallet }: Pick<Payment.Payment, "chainId" | "orderId" | "terms" | "wallet">,
  keccak256: Keccak256
): Hex => hashWords(keccak256, orderType, wallet, chainId, orderId, terms)

/** Computes `geoOpHash` of a payment: the digest of the typed data that pays. Throws if a number does not fit. */
export const hashPayment = (payment: Payment.Payment, keccak256: Keccak256): Hex => {
  const { amount, chainId, deadline, token, vault, wallet } = payment
  const order = hashOrder(payment, keccak256)
  if (payment.method === "eip3009") {
    const authorization = hashWords(keccak256, authorizationType, wallet, vault, amount, 0, deadline, order)
    return digest(keccak256, hashDomain(payment.domain, chainId, token, keccak256), authorization)
  }
  const permissions = hashWords(keccak256, permissionsType, token, amount)
  const transfer = hashWords(keccak256, permit2Type, permissions, vault, payment.nonce, deadline, order)
  return digest(keccak256, hashPermit2Domain(chainId, keccak256), transfer)
}

/** Computes the digest of the permit that approves Permit2 for a payment's amount. */
export const hashPermit = (
  { amount, chainId, deadline, domain, permitNonce, token, wallet }: Payment.Erc2612,
  keccak256: Keccak256
): Hex =>
  digest(
    keccak256,
    hashDomain(domain, chainId, token, keccak256),
    hashWords(keccak256, permitType, wallet, Payment.permit2Address, amount, permitNonce, deadline)
  )

/** The name and the version in the domain of an operation. */
export const accountDomain = { name: "GeoSwap", version: "1" } as const

/**
 * Computes `geoOpHash`, the EIP-712 digest of an operation with valid fields, using `keccak256` from this entry point
 * or from your chain library. Throws if a number does not fit.
 *
 * @example
 * ```ts
 * import { hashOperation, keccak256 } from "@geoswap/core/adapters"
 *
 * const geoOpHash = hashOperation(geoOp, keccak256)
 * ```
 */
export const hashOperation = (
  { amount, chainId, deadline, delegate, nonce, orderId, terms, token, vault, wallet }: GeoOp,
  keccak256: Keccak256
): Hex =>
  digest(
    keccak256,
    hashDomain(accountDomain, chainId, delegate, keccak256),
    hashWords(keccak256, operationType, wallet, token, amount, vault, orderId, terms, nonce, deadline)
  )
