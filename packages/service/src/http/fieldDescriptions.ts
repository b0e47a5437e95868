/** Descriptions of request fields, for the reference and for refusals. */

const bounded = "a string of 1 to 128 characters"
const chain = "a positive integer, as a JSON number"
const token = "unchanged: a string of 1 to 16384 characters"
const word = "0x and 1 to 64 hex digits"
const quantity = "an integer, as a number or as a decimal or 0x-prefixed hex string"

/** By the last part of the field's path. They follow "expected". */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  originChain: `the id of the chain that the wallet pays on, ${chain}`,
  destinationChain: `the id of the chain that the recipient receives on, ${chain}`,
  inputToken: `the address of the token to pay with, on the origin chain, ${bounded}`,
  outputToken: `the address of the token to receive, on the destination chain, ${bounded}`,
  amount:
    "the amount to pay in smallest units of the input token, a decimal string from 1 to 2^256-1 without sign, point or leading zeros",
  walletAddress: `the address of the wallet that pays, ${bounded}`,
  recipient: `the address that receives, on the destination chain, ${bounded}`,
  slippageBps: "how far the minimum may be below the output, an integer from 0 to 10000 basis points, as a JSON number",
  geoQuoteToken: `the token from POST /swap/quote, ${token}`,
  previousGeoOpToken: `the geoOpToken of a refused operation of the same wallet, to reuse its nonce, ${token}`,
  geoOpToken: `the token from the build call, ${token}`,
  signature: "the wallet's signature, 0x and 130 hex digits: personal_sign over the raw 32 bytes of geoOpHash",
  signedTransaction: "the signed transaction of build-solana-tx, base64 of 1 to 4096 characters",
  authorization: "the signed EIP-7702 authorization, an object with chainId, address, nonce, yParity, r and s",
  chainId: `the id of the origin chain, ${quantity}`,
  address:
    "the contract that the wallet delegates to, 0x and 40 hex digits. Mixed case requires a valid EIP-55 checksum",
  nonce: `the wallet's nonce on that chain, ${quantity}`,
  yParity: "0 or 1, as a number or a string. Instead, v may be 0, 1, 27 or 28",
  r: `the first half of the authorization's signature, ${word}`,
  s: `the second half of the authorization's signature, ${word}`,
  swapId: "the id that submit returned, 1 to 200 visible characters"
}
