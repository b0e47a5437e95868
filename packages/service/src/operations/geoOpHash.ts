/** The hash of a quote's terms, which is part of the digest that a wallet signs. */
import { Chain } from "@geoswap/core"
import { hashTerms, type TypedTerms } from "@geoswap/core/adapters"
import { concat, hexToBytes, keccak256, numberToHex } from "viem/utils"
import type { QuoteContext } from "./tokenContents.js"

type Terms = Pick<QuoteContext, "destinationChain" | "outputToken" | "recipient" | "minOutput">

const word = (value: bigint) => numberToHex(value, { size: 32 })

/** The fields of the terms, with addresses as 32 bytes. */
export const typedTermsOf = ({ destinationChain, minOutput, outputToken, recipient }: Terms): TypedTerms => ({
  destinationChain,
  outputToken: word(Chain.toWord(outputToken)),
  recipient: word(Chain.toWord(recipient)),
  minOutput
})

/** The EIP-712 hash of the destination chain, the output token, the recipient and the minimum output. */
export const termsOf = (terms: Terms) => {
  const { destinationChain, minOutput, outputToken, recipient } = typedTermsOf(terms)
  const encoded = concat([word(BigInt(destinationChain)), outputToken, recipient, word(minOutput)])
  return hashTerms(hexToBytes(encoded), keccak256)
}
