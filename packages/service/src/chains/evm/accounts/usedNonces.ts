/** A wallet's used operation nonces, read from the bitmap in the wallet's own storage. */
import { encodeAbiParameters, type Hash, keccak256 } from "viem"
import type { Reads } from "../nodes/reads.js"

/**
 * The ERC-7201 slot for `geoswap.account`, where every version of the account contract stores `mapping(uint256 word =>
 * uint256 bits)`.
 */
const base = "0x863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000"

const slotOf = (word: bigint): Hash =>
  keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "bytes32" }], [word, base]))

/**
 * Reads a word of the bitmap at one node's latest block. Use the result only to choose a free nonce, because a wallet
 * can write to its own storage while it is delegated to another contract, and one node can be wrong.
 */
export const usedNonces =
  ({ storageAt }: Reads) =>
  (wallet: string, word: bigint) =>
    storageAt(wallet, slotOf(word))
