/** Recognizes addresses that have no private key. */
import { type Address, getAddressEncoder, isOffCurveAddress } from "@solana/kit"

const prime = 2n ** 255n - 19n

/**
 * The y coordinates of the points whose order divides 8, up to sign. These points have no private key, and signatures
 * for them can be forged. For example, for the point with y = 1, a single signature verifies for every message, unless
 * the runtime rejects points of small order.
 */
const smallOrder = [0n, 1n, 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n]

/** Whether an address has no private key: it is off the curve (a program or a multisig) or a point of small order. */
export const isKeyless = (address: string): boolean => {
  if (isOffCurveAddress(address as Address)) return true
  const bytes = getAddressEncoder().encode(address as Address)
  const y = Array.from(bytes).reduceRight((value, byte, at) => value * 256n + BigInt(at === 31 ? byte & 127 : byte), 0n)
  return smallOrder.some((each) => y % prime === each || (y + each) % prime === 0n)
}
