/** Signatures that need no chain library: each contains its signer's address, and is valid for one message. */
import type { Authorization } from "../Delegation.js"
import type { Hex } from "../Hex.js"

/** Returns 32 bytes that depend on every character in a string. Not cryptographic. */
export const digest = (text: string): Hex => {
  const prime = 0x100000001b3n
  const lanes = [0xcbf29ce484222325n, 0x84222325cbf29cen, 0x9ce484222325cbfn, 0x2325cbf29ce4842n]
  for (let index = 0; index < text.length; index++) {
    for (let lane = 0; lane < lanes.length; lane++) {
      const mixed = (lanes[lane] ?? 0n) ^ BigInt(text.charCodeAt(index) + lane * 257)
      lanes[lane] = (mixed * prime) & 0xffffffffffffffffn
    }
  }
  return `0x${lanes.map((lane) => lane.toString(16).padStart(16, "0")).join("")}`
}

export const bytesOf = (hex: string): string => hex.slice(2)

/** Returns a fake 65-byte signature that contains the wallet's address and is valid for one hash. */
export const signHash = (address: string, hash: Hex): Hex =>
  `0x${bytesOf(address.toLowerCase())}${"0".repeat(24)}${bytesOf(digest(`${hash}|${address.toLowerCase()}`))}1b`

/** Returns a fake signature over typed data, which is not valid as a personal_sign signature over its digest. */
export const signTyped = (address: string, hash: Hex): Hex => signHash(address, digest(`712|${hash}`))

export const authorizationHash = ({
  chainId,
  address,
  nonce
}: Pick<Authorization, "chainId" | "address" | "nonce">): Hex =>
  digest(`7702|${chainId}|${address.toLowerCase()}|${nonce}`)

/** Returns a fake authorization that contains the wallet's address. */
export const signTuple = (
  wallet: string,
  tuple: Pick<Authorization, "chainId" | "address" | "nonce">
): Authorization => {
  const signature = bytesOf(signHash(wallet, authorizationHash(tuple)))
  return { ...tuple, yParity: 0, r: `0x${signature.slice(0, 64)}`, s: `0x${signature.slice(64, 128)}` }
}

/** The offset of the message: after the signature count and one 64-byte signature, as in a Solana transaction. */
const messageStart = 1 + 64

/** Fills in the empty signature in a transaction. */
export const signWire = (wallet: string, unsigned: string): string => {
  const bytes = atob(unsigned)
  return btoa(`${bytes[0]}${bytesOf(digest(`${wallet}|${unsigned}`))}${bytes.slice(messageStart)}`)
}
