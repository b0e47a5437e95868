/** Explains why an address is invalid. The EIP-55 checksum catches most typing mistakes in an EVM address. */
import { Chain } from "@geoswap/core"

/** The problem, and what to do next. */
interface AddressProblem {
  readonly what: string
  readonly next: string
}

const families: Readonly<Record<Chain.Family, string>> = {
  evm: "0x and 40 hex digits",
  solana: "base58 of 32 bytes"
}

/**
 * Returns the problem of an address; `undefined` if it is valid. The address with the correct checksum is shown for
 * comparison and never used: it would turn a mistyped address into a valid address of a stranger.
 */
export const addressProblem = (family: Chain.Family, text: string): AddressProblem | undefined => {
  const valid: boolean = Chain.isAddress(family, text)
  if (valid) return undefined
  return family === "evm" && /^0x[0-9a-fA-F]{40}$/.test(text)
    ? {
        what: `${text} has a wrong EIP-55 checksum: it was mistyped or changed.`,
        next: `Copy it again from its source. These digits with a valid checksum: ${Chain.checksum(text)}. Compare it digit by digit.`
      }
    : { what: "it is not an address.", next: `Expected ${families[family]}.` }
}

/** Returns the checksum problem of an EVM address; `undefined` for any other string. */
export const checksumProblem = (text: string): AddressProblem | undefined =>
  /^0x[0-9a-fA-F]{40}$/.test(text) ? addressProblem("evm", text) : undefined
