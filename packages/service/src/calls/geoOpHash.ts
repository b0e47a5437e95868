/** The hashes of an operation: the digest that a wallet signs, and the terms in it. */
import { Chain, type Operation } from "@geoswap/core"
import type { Hex } from "viem"
import { concat, hashTypedData, keccak256, numberToHex, pad } from "viem/utils"
import type { QuoteContext } from "./tokenContents.js"

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

/** The hash of destination chain, output token, recipient and minimum output. */
export const termsOf = ({
  destinationChain,
  minOutput,
  outputToken,
  recipient
}: Pick<QuoteContext, "destinationChain" | "outputToken" | "recipient" | "minOutput">): Hex =>
  keccak256(
    concat(
      [BigInt(destinationChain), Chain.toWord(outputToken), Chain.toWord(recipient), minOutput].map((word) =>
        numberToHex(word, { size: 32 })
      )
    )
  )

/** The EIP-712 digest of an operation: `geoOpHash`. */
export const digestOf = (geoOp: Operation.GeoOp): Hex =>
  hashTypedData({
    domain: {
      chainId: BigInt(geoOp.chainId),
      verifyingContract: geoOp.wallet,
      salt: pad(geoOp.delegate, { size: 32 })
    },
    types,
    primaryType: "GeoOp",
    message: {
      token: geoOp.token,
      amount: geoOp.amount,
      vault: geoOp.vault,
      orderId: geoOp.orderId,
      terms: geoOp.terms,
      nonce: geoOp.nonce,
      deadline: BigInt(geoOp.deadline)
    }
  })
