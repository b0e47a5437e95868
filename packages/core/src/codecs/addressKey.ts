/** Converts addresses to record keys. */

/**
 * Returns the same key for every spelling of an address: EVM addresses are lowercased, Solana addresses are unchanged.
 */
export const addressKey = (address: string): string => (address.startsWith("0x") ? address.toLowerCase() : address)
