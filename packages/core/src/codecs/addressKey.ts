/** Addresses as keys of records. */

/** The same key for every spelling of an address: EVM addresses in lower case, Solana addresses unchanged. */
export const addressKey = (address: string): string => (address.startsWith("0x") ? address.toLowerCase() : address)
