/** Explains why an address is invalid. The EIP-55 checksum catches most typos in an EVM address. */
import { Chain } from "@geoswap/core"

const families = {
  evm: "0x followed by 40 hex digits",
  solana: "base58 of 32 bytes"
}

/**
 * Returns the problem with an address and what the user should do next, or `undefined` if the address is valid. The
 * address with the correct checksum is shown for comparison but never used: using it could turn a typo into a valid address that belongs to a stranger.
 */
export const addressProblem = (family: Chain.Family, text: string) => {
  const valid: boolean = Chain.isAddress(family, text)
  if (valid) return undefined
  return family === "evm" && /^0x[0-9a-fA-F]{40}$/.test(text)
    ? {
        what: `${text} has an invalid EIP-55 checksum, so it was mistyped or altered.`,
        next: `Copy it again from its source. With a valid checksum, the same digits would be ${Chain.checksum(text)}. Compare every digit.`
      }
    : { what: "its format is invalid.", next: `Expected ${families[family]}.` }
}

/**
 * Returns the checksum problem with an EVM address. Returns `undefined` if the checksum is valid, or if the string is
 * not an EVM address.
 */
export const checksumProblem = (text: string) =>
  /^0x[0-9a-fA-F]{40}$/.test(text) ? addressProblem("evm", text) : undefined
