/** What each field of a request should be, in the words that the reference shows and a refusal repeats. */

const bounded = "a string of 1 to 128 characters"
const chain = "a positive integer, as a JSON number"
const token = "as it came: a string of 1 to 16384 characters"
const word = "0x and 1 to 64 hex digits"
const quantity = "an integer, or a decimal or 0x-hex string of one"

/** By the last part of the field's path; the sentences go on after "should be". */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  originChain: `the id of the chain that the wallet pays on, ${chain}`,
  destinationChain: `the id of the chain that the recipient is on, ${chain}`,
  inputToken: `the address of the token to pay with, on the origin chain, ${bounded}`,
  outputToken: `the address of the token to receive, on the destination chain, ${bounded}`,
  amount:
    "what to pay in smallest units of the input token, a decimal string from 1 to 2^256-1 without sign, point or leading zeros",
  walletAddress: `the address of the wallet that pays, ${bounded}`,
  recipient: `the address that receives, on the destination chain, ${bounded}`,
  slippageBps:
    "how far the minimum may lie below the output, an integer from 0 to 10000 basis points, as a JSON number",
  geoQuoteToken: `the token from POST /swap/quote ${token}`,
  previousGeoOpToken: `the geoOpToken of an operation of the same wallet that was refused, to build with its nonce, ${token}`,
  geoOpToken: `the token from the build call ${token}`,
  signature: "the wallet's signature, 0x and 130 hex digits: personal_sign over the raw 32 bytes of geoOpHash",
  signedTransaction: "the transaction of build-solana-tx once signed, base64 of 1 to 4096 characters",
  authorization: "the signed EIP-7702 authorization, an object with chainId, address, nonce, yParity, r and s",
  chainId: `the id of the origin chain, ${quantity}`,
  address:
    "the contract that the wallet delegates to, 0x and 40 hex digits, in mixed case only with the checksum of EIP-55",
  nonce: `the wallet's nonce on that chain, ${quantity}`,
  yParity: "0 or 1, as a number or a string; v with 0, 1, 27 or 28 will do in its place",
  r: `the first half of the authorization's signature, ${word}`,
  s: `the second half of the authorization's signature, ${word}`,
  swapId: "the id that submit returned, 1 to 200 visible characters"
}
