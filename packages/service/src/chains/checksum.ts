/** Checksums of EVM addresses (EIP-55). */
import { isAddress } from "viem/utils"

/** Whether an EVM address is in mixed case with a wrong checksum. All lower or all upper case has no checksum. */
export const hasWrongChecksum = (address: string): boolean => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false
  const digits = address.slice(2)
  // `isAddress` caches thousands of checksums.
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase() && !isAddress(address)
}

/** The message, without the name of the field. */
export const wrongChecksum = "has a wrong checksum (EIP-55): at least one character is wrong. Copy the address again."
