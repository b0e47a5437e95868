/** The names of chains and tokens for agents. The tokens of a policy take precedence over the configuration. */
import { formatToken, type Names, tokenAt } from "@geoswap/tools"
import type { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { AgentPolicy, type WalletPolicy } from "../agent/AgentPolicy.js"
import type { AgentRules } from "../agent/PolicyFile.js"
import { Directory } from "../chains/Directory.js"
import * as Keys from "../keys/Keys.js"
import { families } from "../keys/KeySource.js"

/** Names the token at an address as agents write it, if it is pinned: `usdc@base`. */
export const nameOf = (names: Names, chainId: number, address: string) => {
  const found = tokenAt(names, chainId, address)
  return found === undefined ? `${address}@${chainId}` : formatToken(found)
}

/** Reads something of each wallet of the user. `otherwise`: what there is instead if that fails. */
export const ofWallets = <A, E, R>(
  read: (wallet: WalletPolicy) => Effect.Effect<A, E, R>,
  otherwise: (family: Chain.Family, error: E | Keys.OpenError) => ReadonlyArray<A>
) =>
  Effect.gen(function* () {
    const { wallet } = yield* AgentPolicy
    const found = yield* Effect.forEach(families, (family) =>
      Effect.gen(function* () {
        if ((yield* Keys.sourceOf(family)) === undefined) return []
        return [yield* read(yield* wallet(family))]
      }).pipe(Effect.catch((error) => Effect.succeed(otherwise(family, error))))
    )
    return found.flat()
  })

/** The verified rules of all policies that can be used. */
export const usableRules = ofWallets(
  ({ verified }) => Effect.map(verified, ({ rules }) => rules),
  () => []
)

/** The names of all chains, and of the policies' tokens. Amounts that are signed use only these decimals. */
export const policyNames = Effect.fnUntraced(function* (policies: ReadonlyArray<AgentRules>) {
  const { chains } = yield* Directory
  return {
    chains: chains.map(({ aliases, id, family, name }) => ({ id, name, family, aliases })),
    tokens: policies.flatMap(({ tokens }) => tokens)
  }
})

/** The same names, and those of further tokens that the user has pinned in the configuration. */
export const allNames = Effect.fnUntraced(function* (policies: ReadonlyArray<AgentRules>) {
  const directory = yield* Directory
  const names = yield* policyNames(policies)
  const further = directory.chains.flatMap(({ id, tokens }) =>
    tokens.flatMap(({ address, decimals, symbol }) =>
      tokenAt(names, id, address) === undefined ? [{ chainId: id, address, symbol, decimals }] : []
    )
  )
  return { ...names, tokens: [...names.tokens, ...further] }
})

/** The names of all chains and tokens. */
export const names = Effect.flatMap(usableRules, allNames)
