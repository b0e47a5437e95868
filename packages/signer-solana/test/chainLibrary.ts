/** Builds real Solana transactions and recovers their signers, for the scripted service. */
import { ChainLibrary } from "@geoswap/core/testing"
import { type Address, address } from "@solana/kit"
import { PublicKey, VersionedTransaction } from "@solana/web3.js"
import { encodeAbiParameters, type Hex, keccak256, pad, parseAbiParameters, toHex } from "viem"
import { isSignedBy } from "./keys.js"
import { budget, memoOf, tokenAccount, transferOf, wireOf } from "./transactions.js"

/** An address of either family as 32 bytes. */
const wordOf = (text: string): Hex =>
  text.startsWith("0x")
    ? pad(text.toLowerCase() as Hex, { size: 32 })
    : `0x${Buffer.from(new PublicKey(text).toBytes()).toString("hex")}`

/** The terms, hashed by viem. */
export const hashTerms = ({ destinationChain, minOutput, outputToken, recipient }: ChainLibrary.Terms): Hex =>
  keccak256(
    encodeAbiParameters(parseAbiParameters("bytes32, uint256, bytes32, bytes32, uint256"), [
      keccak256(toHex("Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)")),
      BigInt(destinationChain),
      wordOf(outputToken),
      wordOf(recipient),
      minOutput
    ])
  )

export const chainLibrary: ChainLibrary.ChainLibrary = {
  ...ChainLibrary.standIn,
  hashTerms,
  buildTransaction: async ({ deployment, orderId, request, terms }) => {
    const [wallet, mint] = [address(request.walletAddress), address(request.inputToken)]
    const transfer = transferOf({
      source: await tokenAccount(wallet, mint),
      mint,
      destination: await tokenAccount(address(deployment.vault), mint),
      authority: wallet,
      amount: request.amount
    })
    return wireOf([...budget, transfer, memoOf(`geoswap:${orderId}:${terms}`)], deployment.relayer as Address)
  },
  recoverTransaction: (unsigned, signed) => {
    const [requested, given] = [unsigned, signed].map((text) =>
      VersionedTransaction.deserialize(Buffer.from(text, "base64"))
    )
    const wallet = `${requested?.message.staticAccountKeys[1]?.toBase58()}`
    const isSame = Buffer.from(requested?.message.serialize() ?? []).equals(
      Buffer.from(given?.message.serialize() ?? [])
    )
    return isSame && isSignedBy(signed, wallet) ? wallet : undefined
  }
}
