/** EVM address checksums (EIP-55). */
import { isAddress } from "viem/utils"

/** Whether a mixed-case EVM address has a wrong checksum. An all-lowercase or all-uppercase address has no checksum. */
export const hasWrongChecksum = (address: string): boolean => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false
  const digits = address.slice(2)
  // `isAddress` caches thousands of checksums, so repeated checks are fast.
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase() && !isAddress(address)
}

/** The error message for a wrong checksum. The caller puts the field name in front of it. */
export const wrongChecksum = "has a wrong checksum (EIP-55): at least one character is wrong. Copy the address again."
