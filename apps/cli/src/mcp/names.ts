/** The names of chains and tokens for agents. The tokens of a policy take precedence over the configuration. */
import { Chain } from "@geoswap/core"
import { formatToken, type Names, tokenAt } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import { AgentPolicy } from "../agent/AgentPolicy.js"
import type { AgentRules } from "../agent/PolicyFile.js"
import { Directory, type KnownChain } from "../chains/Directory.js"
import * as Keys from "../keys/Keys.js"

type PinnedToken = Names["tokens"][number]

/** Names the token at an address as agents write it, if it is pinned: `usdc@base`. */
export const nameOf = (names: Names, chainId: number, address: string): string => {
  const found = tokenAt(names, chainId, address)
  return found === undefined ? `${address}@${chainId}` : formatToken(found)
}

const chainsOf = ({ chains }: Directory): Names["chains"] =>
  chains.map(({ aliases, id, kind, name }) => ({ id, name, kind, aliases }))

const configured = ({ id, tokens }: KnownChain): ReadonlyArray<PinnedToken> =>
  tokens.map(({ address, decimals, symbol }) => ({ chainId: id, address, symbol, decimals }))

/** Only the tokens of a policy. Amounts that are signed use only these decimals. */
export const policyNames = (directory: Directory, { tokens }: AgentRules): Names => ({
  chains: chainsOf(directory),
  tokens: tokens.map(({ address, chain, decimals, symbol }) => ({ chainId: chain, address, symbol, decimals }))
})

/** The tokens of the policies, and further tokens that the user has pinned in the configuration. */
const allNames = (directory: Directory, policies: ReadonlyArray<AgentRules>): Names => {
  const all = [
    ...policies.flatMap((rules) => policyNames(directory, rules).tokens),
    ...directory.chains.flatMap(configured)
  ]
  const isSame = (one: PinnedToken, other: PinnedToken) =>
    one.chainId === other.chainId && Chain.sameAddress(directory.familyOf(one.chainId), one.address, other.address)
  return {
    chains: chainsOf(directory),
    tokens: all.filter((token, at) => !all.slice(0, at).some((earlier) => isSame(earlier, token)))
  }
}

/** The kinds of wallets. */
export const families = ["evm", "solana"] as const

/** The verified rules of all policies that can be used. */
export const usableRules = Effect.fnUntraced(function* () {
  const policies = yield* AgentPolicy
  const found = yield* Effect.forEach(families, (family) =>
    Effect.gen(function* () {
      if ((yield* Keys.sourceOf(family)) === undefined) return []
      return [(yield* (yield* policies.wallet(family)).verified).rules]
    }).pipe(Effect.catch(() => Effect.succeed([])))
  )
  return found.flat()
})

/** The names of all chains and tokens. */
export const names = Effect.gen(function* () {
  return allNames(yield* Directory, yield* usableRules())
})
