/** What is wrong with an address that was typed: most mistakes in an EVM address show in its EIP-55 checksum. */
import { Chain } from "@geoswap/core"

/** What is wrong, and what to do about it. */
interface AddressProblem {
  readonly what: string
  readonly next: string
}

const families: Readonly<Record<Chain.Family, string>> = {
  evm: "0x and 40 hex digits",
  solana: "base58 of 32 bytes"
}

/**
 * The problem of an address; `undefined` if there is none. The spelling with the right checksum is shown for comparison
 * and never used: a mistyped address has another checksum, and would be "corrected" into an address of a stranger.
 */
export const addressProblem = (family: Chain.Family, text: string): AddressProblem | undefined => {
  const valid: boolean = Chain.isAddress(family, text)
  if (valid) return undefined
  return family === "evm" && /^0x[0-9a-fA-F]{40}$/.test(text)
    ? {
        what: `${text} has a wrong EIP-55 checksum: it was mistyped or changed.`,
        next: `Copy it again from where it came from. With these digits it would be ${Chain.checksum(text)}: check it digit by digit.`
      }
    : { what: "it is not an address.", next: `Expected ${families[family]}.` }
}

/** The same for either family, by what the text looks like. */
export const checksumProblem = (text: string): AddressProblem | undefined =>
  /^0x[0-9a-fA-F]{40}$/.test(text) ? addressProblem("evm", text) : undefined
