/** Chains and tokens as the policy pins them. */
import { Chain, type Quote } from "@geoswap/core"
import type { AgentRules, PinnedToken, TokenRef } from "./PolicyFile.js"

/**
 * Returns the family of a chain from the policy's addresses, so that no configuration can decide how addresses are
 * compared.
 */
export const familyOf =
  ({ deployments, tokens }: Pick<AgentRules, "deployments" | "tokens">, otherwise = Chain.defaultFamily) =>
  (chainId: number) => {
    const address =
      deployments[String(chainId)]?.vault ?? tokens.find(({ chainId: chain }) => chain === chainId)?.address
    return address === undefined ? otherwise(chainId) : address.startsWith("0x") ? "evm" : "solana"
  }

/** Returns an address in the form in which equal addresses are equal strings. */
export const addressKey = (address: string) => (address.startsWith("0x") ? address.toLowerCase() : address)

/** Whether two references name the same token. */
export const sameToken = (one: TokenRef, other: TokenRef) =>
  one.chainId === other.chainId && addressKey(one.token) === addressKey(other.token)

/** Finds a pinned token. */
export const pinnedAt = ({ tokens }: { readonly tokens: ReadonlyArray<PinnedToken> }, ref: TokenRef) =>
  tokens.find(({ address, chainId }) => sameToken({ chainId, token: address }, ref))

/** The tokens that a request pays and receives. */
export const tokensOf = ({ destinationChain, inputToken, originChain, outputToken }: Quote.QuoteRequest) => ({
  input: { chainId: originChain, token: inputToken },
  output: { chainId: destinationChain, token: outputToken }
})
