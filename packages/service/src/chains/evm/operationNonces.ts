/** The nonces that a wallet has used, from the bitmap in its own storage. */
import type * as Effect from "effect/Effect"
import { encodeAbiParameters, type Hash, keccak256 } from "viem"
import type { ChainUnavailable } from "../Chains.js"
import type { Reads } from "./reads.js"

/** ERC-7201 of `geoswap.account`, where every version of the account has `mapping(uint256 word => uint256 bits)`. */
const base = "0x863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000"

const slotOf = (word: bigint): Hash =>
  keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "bytes32" }], [word, base]))

/**
 * A word of the bitmap as one node shows it at its newest block. For choosing a nonce that is not used, and nothing else:
 * a wallet can write any storage of its own while it is delegated elsewhere, and one node can be wrong.
 */
export const usedNonces =
  ({ storageAt }: Reads) =>
  (wallet: string, word: bigint): Effect.Effect<bigint, ChainUnavailable> =>
    storageAt(wallet, slotOf(word), "latest")
