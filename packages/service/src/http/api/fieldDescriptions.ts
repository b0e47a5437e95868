/** Descriptions of request fields, for the reference and for refusals. */

const bounded = "a string of 1 to 128 characters"
const chain = "a positive integer, as a JSON number"
const token = "unchanged: a string of 1 to 16384 characters"
const word = "0x followed by 1 to 64 hex digits"
const quantity = "an integer, as a number or as a decimal or 0x-prefixed hex string"

/** Field descriptions, keyed by the last part of the field's path. Each description follows the word "expected". */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  originChain: `the id of the chain that the wallet pays on, ${chain}`,
  destinationChain: `the id of the chain that the recipient receives on, ${chain}`,
  inputToken: `the address of the token to pay with on the origin chain, ${bounded}`,
  outputToken: `the address of the token to receive on the destination chain, ${bounded}`,
  amount:
    "the amount to pay, in the input token's smallest unit: a decimal string from 1 to 2^256-1 without a sign, a decimal point or leading zeros",
  walletAddress: `the address of the wallet that pays, ${bounded}`,
  recipient: `the address that receives the output on the destination chain, ${bounded}`,
  slippageBps:
    "how far the minimum output may be below the output, in basis points: an integer from 0 to 10000, as a JSON number",
  indicative: "true for a price without a token, or false for a quote (default), as a JSON boolean",
  geoQuoteToken: `the token from POST /swap/quote, ${token}`,
  previousGeoOpToken: `the geoOpToken of a refused operation from the same wallet, to reuse its nonce, ${token}`,
  geoOpToken: `the token from the build call, ${token}`,
  paymentMethod:
    "one of the quote's paymentMethods (default: delegation): delegation, eip3009, permit2 or erc2612, as a string",
  signature:
    "the wallet's signature, 0x followed by 130 hex digits: personal_sign over the raw 32 bytes of geoOpHash, or the signature of typedData if the build call returned it",
  permitSignature:
    "the wallet's signature of permitTypedData, 0x followed by 130 hex digits. Required with erc2612, and not allowed otherwise",
  signedTransaction: "the signed transaction from build-solana-tx, 1 to 4096 characters in base64",
  authorization: "the signed EIP-7702 authorization, an object with chainId, address, nonce, yParity, r and s",
  chainId: `the id of the origin chain, ${quantity}`,
  address:
    "the contract that the wallet delegates to (or, in change-delegation, the zero address to remove the delegation), 0x followed by 40 hex digits. Mixed case requires a valid EIP-55 checksum",
  nonce: `the wallet's nonce on that chain, ${quantity}`,
  yParity: "0 or 1, as a number or a string. Alternatively, v may be 0, 1, 27 or 28",
  r: `the first half of the authorization's signature, ${word}`,
  s: `the second half of the authorization's signature, ${word}`,
  changeId: "the id that change-delegation returned, 1 to 200 visible characters",
  swapId: "the id that submit returned, 1 to 200 visible characters"
}
