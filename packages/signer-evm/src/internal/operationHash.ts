/** Computes the hashes of an operation from its fields. */
import { type Hex, Operation } from "@geoswap/core"
import { hashTypedData, keccak256, pad } from "viem/utils"

const types = {
  EIP712Domain: [
    { name: "chainId", type: "uint256" },
    { name: "verifyingContract", type: "address" },
    { name: "salt", type: "bytes32" }
  ],
  GeoOp: [
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
    { name: "vault", type: "address" },
    { name: "orderId", type: "bytes32" },
    { name: "terms", type: "bytes32" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" }
  ]
} as const

export const lower = (hex: Hex.Hex): Hex.Hex => hex.toLowerCase() as Hex.Hex

/** The hash of the agreed destination, output token, recipient and minimum output. */
export const hashTerms = (agreement: Operation.Agreement): Hex.Hex => keccak256(Operation.encodeTerms(agreement))

/** The EIP-712 digest of an operation. */
export const hashOperation = ({
  amount,
  chainId,
  deadline,
  delegate,
  nonce,
  orderId,
  terms,
  token,
  vault,
  wallet
}: Operation.GeoOp) =>
  hashTypedData({
    domain: { chainId: BigInt(chainId), verifyingContract: lower(wallet), salt: pad(lower(delegate), { size: 32 }) },
    types,
    primaryType: "GeoOp",
    message: { token: lower(token), amount, vault: lower(vault), orderId, terms, nonce, deadline: BigInt(deadline) }
  })
