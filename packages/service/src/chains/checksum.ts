/** Typos in EVM addresses: the case of their letters is a checksum (EIP-55). */
import { isAddress } from "viem/utils"

/** Whether an EVM address is in mixed case, and that is not its checksum. All lower case and all upper case have none. */
export const hasWrongChecksum = (address: string): boolean => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false
  const digits = address.slice(2)
  // Remembers what it has hashed, for thousands of addresses.
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase() && !isAddress(address)
}

/** What to say about it, after the name of the field. */
export const wrongChecksum = "has a wrong checksum (EIP-55), so at least one character is wrong. Copy it again."
