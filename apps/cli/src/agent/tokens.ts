/** Chains and tokens as the policy pins them. */
import { Chain } from "@geoswap/core"
import type { AgentRules, TokenRef } from "./PolicyFile.js"

/**
 * Returns the family of a chain from the policy's addresses, so that no configuration can decide how addresses are
 * compared.
 */
export const familyOf =
  ({ deployments, tokens }: Pick<AgentRules, "deployments" | "tokens">, otherwise = Chain.defaultFamily) =>
  (chainId: number): Chain.Family => {
    const address = deployments[String(chainId)]?.vault ?? tokens.find(({ chain }) => chain === chainId)?.address
    return address === undefined ? otherwise(chainId) : Chain.isAddress("solana", address) ? "solana" : "evm"
  }

/** Returns an address in the form in which equal addresses are equal strings. */
export const addressKey = (address: string): string =>
  Chain.isAddress("evm", address) ? address.toLowerCase() : address

/** Whether two references name the same token. */
export const sameToken = (rules: Pick<AgentRules, "deployments" | "tokens">, one: TokenRef, other: TokenRef): boolean =>
  one.chain === other.chain && Chain.sameAddress(familyOf(rules)(one.chain), one.token, other.token)
