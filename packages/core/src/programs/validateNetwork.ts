/** Validates a network, which may come from a file or from untyped code. */
import { type Family, isAddress, isChainId } from "../Chain.js"
import { isHex } from "../Hex.js"
import type { NetworkChain } from "../Network.js"
import type { Deployment } from "../Operation.js"
import type { InvalidInput } from "../SwapError.js"
import { type Fields, findInvalidField, invalidField, isRecord, list, type Rule } from "./fieldRules.js"

const text: Rule = ["a text", (value) => typeof value === "string" && value !== ""]
const isDecimals = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255

const chainRules = (family: Family): Readonly<Record<keyof NetworkChain, Rule>> => ({
  id: ["a chain id", isChainId],
  name: text,
  family: [`"evm" or "solana"`, (value) => value === "evm" || value === "solana"],
  deployment: ["an object with the service's contracts", isRecord],
  tokens: [
    `a list of { symbol, address, decimals } with valid ${family === "evm" ? "EVM" : "Solana"} addresses`,
    list(
      (value) =>
        isRecord(value) &&
        text[1](value["symbol"]) &&
        isAddress(family, value["address"]) &&
        isDecimals(value["decimals"])
    )
  ],
  nativeSymbol: text
})

const deploymentRules = (family: Family): Readonly<Record<keyof Deployment, Rule>> => {
  const address: Rule = [`a valid ${family === "evm" ? "EVM" : "Solana"} address`, (value) => isAddress(family, value)]
  const hash: Rule = ["32 bytes in hex", (value) => isHex(value, 32)]
  return {
    delegates: ["a list of addresses", list(address[1])],
    codeHash: hash,
    vault: address,
    relayer: address,
    older: [
      "a list of { delegate, vault, codeHash? }",
      list(
        (value) =>
          isRecord(value) &&
          address[1](value["delegate"]) &&
          address[1](value["vault"]) &&
          (value["codeHash"] === undefined || hash[1](value["codeHash"]))
      )
    ]
  }
}

/** Returns the error for the first missing field. */
const findMissing = (path: string, fields: Fields, required: ReadonlyArray<string>) => {
  const missing = required.find((name) => fields[name] === undefined)
  return missing === undefined ? undefined : invalidField(`${path}.${missing}`, "missing.")
}

const findInvalidChain = (path: string, chain: unknown): InvalidInput | undefined => {
  if (!isRecord(chain)) return invalidField(path, "expected { id, name, family, deployment?, tokens? }.")
  const family = chain["family"] === "solana" ? "solana" : "evm"
  const invalid =
    findMissing(path, chain, ["id", "name", "family"]) ?? findInvalidField(path, chain, chainRules(family))
  const { deployment } = chain
  if (invalid || !isRecord(deployment)) return invalid
  return (
    findMissing(`${path}.deployment`, deployment, family === "evm" ? ["vault"] : ["vault", "relayer"]) ??
    findInvalidField(`${path}.deployment`, deployment, deploymentRules(family))
  )
}

const isUnique = (values: ReadonlyArray<unknown>): boolean => new Set(values).size === values.length

/** Returns the first error in a network. */
export const validateNetwork = (network: unknown): InvalidInput | undefined => {
  if (!isRecord(network) || !Array.isArray(network["chains"])) return invalidField("network", "expected { chains }.")
  const unknownField = findInvalidField("network", network, { chains: ["a list of chains", Array.isArray] })
  if (unknownField) return unknownField
  const chains: ReadonlyArray<NetworkChain> = network["chains"]
  for (const [index, chain] of chains.entries()) {
    const invalid = findInvalidChain(`network.chains[${index}]`, chain)
    if (invalid) return invalid
  }
  return isUnique(chains.map(({ id }) => id)) && isUnique(chains.map(({ name }) => name.toLowerCase()))
    ? undefined
    : invalidField("network.chains", "expected each id and each name only once.")
}
