/** The EIP-712 domain separators of tokens. */
import { hashDomain, keccak256 } from "@geoswap/core/adapters"
import type { PublicToken } from "@geoswap/deployments/networks"
import { type Address, encodeAbiParameters, hexToBytes, pad, parseAbiParameters, stringToBytes, toHex } from "viem"

const hashText = (text: string) => keccak256(stringToBytes(text))

/** The separator of a domain whose `salt` is the chain id. */
const saltSeparator = (name: string, version: string, contract: Address, chainId: number) =>
  keccak256(
    hexToBytes(
      encodeAbiParameters(parseAbiParameters("bytes32, bytes32, bytes32, address, bytes32"), [
        hashText("EIP712Domain(string name,string version,address verifyingContract,bytes32 salt)"),
        hashText(name),
        hashText(version),
        contract,
        pad(toHex(chainId))
      ])
    )
  )

/** What `DOMAIN_SEPARATOR()` of a token returns, or `undefined` if its domain is not known. */
export const domainSeparator = (
  { address, domain }: Pick<PublicToken, "address" | "domain">,
  chainId: number
): string | undefined => {
  if (domain === undefined) return undefined
  const contract = address as Address
  return domain.fields === "salt"
    ? saltSeparator(domain.name, domain.version, contract, chainId)
    : hashDomain(domain, chainId, contract, keccak256)
}
