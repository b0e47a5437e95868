/** Hashes and recovers with ox, to test the signers. ox and viem both use the curve and keccak of noble. */
import type { Delegation, Operation } from "@geoswap/core"
import type { ChainLibrary, EvmSignerOptions } from "@geoswap/core/testing"
import * as Authorization from "ox/Authorization"
import * as Hash from "ox/Hash"
import * as Hex from "ox/Hex"
import * as PersonalMessage from "ox/PersonalMessage"
import * as Secp256k1 from "ox/Secp256k1"
import * as Signature from "ox/Signature"
import * as TypedData from "ox/TypedData"
import { hashTerms, payments, typedDataSigner } from "./paymentLibrary.js"

const struct =
  "GeoOp(address wallet,address token,uint256 amount,address vault,bytes32 orderId,Terms terms,uint256 nonce,uint256 deadline)" +
  "Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)"
const typeHash = (type: string) => Hash.keccak256(Hex.fromString(type))
const number = (value: bigint | number) => Hex.fromNumber(value, { size: 32 })
const padded = (hex: Hex.Hex) => Hex.padLeft(hex, 32)

/** The EIP-712 digest of an operation, computed by hand. `signed` overrides the chain, the wallet or the delegate. */
export const digestOf = (geoOp: Operation.GeoOp, signed: Partial<Operation.GeoOp> = {}): Hex.Hex => {
  const { chainId, delegate, wallet } = { ...geoOp, ...signed }
  const separator = TypedData.domainSeparator({ name: "GeoSwap", version: "1", chainId, verifyingContract: delegate })
  const message = Hash.keccak256(
    Hex.concat(
      typeHash(struct),
      padded(wallet),
      padded(geoOp.token),
      number(geoOp.amount),
      padded(geoOp.vault),
      geoOp.orderId,
      geoOp.terms,
      number(geoOp.nonce),
      number(geoOp.deadline)
    )
  )
  return Hash.keccak256(Hex.concat("0x1901", separator, message))
}

/** Recovers the signer of raw bytes signed with personal_sign. */
export const messageSigner = (raw: Hex.Hex, signature: Hex.Hex): string =>
  Secp256k1.recoverAddress({ payload: PersonalMessage.getSignPayload(raw), signature: Signature.fromHex(signature) })

/** The hash that an authorization signs. */
export const tupleHash = ({
  address,
  chainId,
  nonce
}: Pick<Delegation.Authorization, "address" | "chainId" | "nonce">): Hex.Hex =>
  Authorization.getSignPayload({ address, chainId, nonce: BigInt(nonce) })

/** Recovers the signer of an authorization. */
export const authorizationSigner = ({ r, s, yParity, ...tuple }: Delegation.Authorization): string =>
  Secp256k1.recoverAddress({ payload: tupleHash(tuple), signature: { r: BigInt(r), s: BigInt(s), yParity } })

/** Caches results, since recovering takes milliseconds and the contract repeats signatures for every signer. */
const cached = <I extends ReadonlyArray<unknown>>(recover: (...input: I) => string) => {
  const known = new Map<string, string>()
  return (...input: I): string => {
    const name = JSON.stringify(input)
    const answer = known.get(name) ?? recover(...input)
    known.set(name, answer)
    return answer
  }
}

/** The signer contract options other than the signer. */
export const tools: Pick<EvmSignerOptions, "family" | "recoverMessage" | "recoverAuthorization" | "recoverTypedData"> =
  {
    family: "evm",
    recoverMessage: cached(messageSigner),
    recoverAuthorization: cached(authorizationSigner),
    recoverTypedData: cached(typedDataSigner)
  }

/** The chain library of the scripted service. */
export const library: ChainLibrary.ChainLibrary = {
  hashTerms,
  hashOperation: digestOf,
  recoverOperation: (hash, signature) => messageSigner(hash, signature as Hex.Hex),
  payments,
  recoverAuthorization: authorizationSigner,
  buildTransaction: () => "",
  recoverTransaction: () => undefined
}

/** The hash of other typed data that a hostile service might want signed. */
export const typedDataHash = (data: Parameters<typeof TypedData.getSignPayload>[0]): Hex.Hex =>
  TypedData.getSignPayload(data)
