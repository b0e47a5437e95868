/** Addresses as keys. */

/** The one form in which an address is compared: EVM addresses are the same in any case, Solana's are not. */
export const keyOf = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address)
