/** Addresses as keys. */

/** Returns an address in the form in which it is compared and stored: EVM addresses ignore case, Solana's do not. */
export const addressKey = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address)
