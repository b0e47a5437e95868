/** Normalizes addresses, so that they can be compared and used as keys. */

/**
 * Returns an address in the form used for comparison and storage. EVM addresses are case-insensitive, and Solana
 * addresses are case-sensitive.
 */
export const addressKey = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address)
