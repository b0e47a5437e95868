/**
 * The hashes of an operation: the digest that a wallet signs, and the hash of the terms, which is part of that digest.
 */
import { Chain, type Operation } from "@geoswap/core"
import { hashOperation } from "@geoswap/core/adapters"
import type { Hex } from "viem"
import { concat, keccak256, numberToHex } from "viem/utils"
import type { QuoteContext } from "./tokenContents.js"

/** The hash of the destination chain, the output token, the recipient and the minimum output. */
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
export const digestOf = (geoOp: Operation.GeoOp): Hex => hashOperation(geoOp, keccak256)
