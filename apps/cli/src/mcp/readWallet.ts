/** Reads the chains, and the policies and balances of the wallets. */
import { Amount, Chain } from "@geoswap/core"
import { resolveChain, tokenAt, tokenView, type View } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import { AgentPolicy } from "../agent/AgentPolicy.js"
import * as Balances from "../chains/Balances.js"
import { Directory } from "../chains/Directory.js"
import * as Keys from "../keys/Keys.js"
import { Output } from "../output/Output.js"
import { families, names, usableRules } from "./names.js"
import { policyView, withoutPolicy } from "./policyView.js"
import { attempt } from "./toolError.js"

/** The policies of all wallets. */
export const policies = Effect.fnUntraced(function* () {
  const all = yield* AgentPolicy
  const { repeatFlags } = yield* Output
  const known = yield* names
  const found = yield* Effect.forEach(families, (family) =>
    Effect.gen(function* () {
      if ((yield* Keys.sourceOf(family)) === undefined) return []
      const wallet = yield* all.wallet(family)
      return [policyView(known, yield* wallet.view)]
    }).pipe(Effect.catch((error) => Effect.succeed([withoutPolicy(family, error, repeatFlags)])))
  )
  return found.flat()
})

/** The chains, with their pinned tokens. */
export const chains = Effect.gen(function* () {
  const known = yield* names
  const directory = yield* Directory
  return directory.chains.map((chain): View.Chain => ({
    id: chain.id,
    name: chain.name,
    kind: chain.kind,
    served: chain.served,
    tokens: known.tokens.flatMap((token) =>
      token.chain === chain.id
        ? [tokenView({ chain: { id: chain.id, name: chain.name, kind: chain.kind }, token })]
        : []
    )
  }))
})

/** The balances on one chain or on all chains. */
export const balances = Effect.fnUntraced(function* (name: string | undefined) {
  const known = yield* names
  const rules = yield* usableRules()
  const only = name === undefined ? undefined : yield* attempt(() => resolveChain(known, name))
  const directory = yield* Directory
  const reads = yield* Effect.forEach(
    directory.chains.filter(({ id }) => only === undefined || id === only.id),
    (chain) =>
      Effect.gen(function* () {
        const wallet = yield* Keys.addressWithoutPassword(chain.kind)
        if (wallet === undefined) return { balances: [], unread: [] }
        const node = rules.map(({ nodes }) => nodes[`${chain.id}`]).find((url) => url !== undefined) ?? chain.rpcUrl
        if (node === undefined) return { balances: [], unread: [chain.name] }
        const tokens = known.tokens
          .filter((token) => token.chain === chain.id)
          .map(({ address, decimals, symbol }) => ({
            pinned: true as const,
            address,
            decimals,
            symbol,
            native: Chain.sameAddress(chain.kind, address, Chain.nativeToken[chain.kind])
          }))
        const read = yield* Balances.read(chain, node, wallet, tokens)
        return {
          balances: read.flatMap(({ amount, token }) => {
            const found = tokenAt(known, chain.id, token.address)
            return found === undefined
              ? []
              : [{ token: tokenView(found).token, wallet, amount: Amount.format(amount, token.decimals) }]
          }),
          unread: []
        }
      }).pipe(Effect.catch(() => Effect.succeed({ balances: [], unread: [chain.name] }))),
    { concurrency: 4 }
  )
  return { balances: reads.flatMap((one) => one.balances), unread: reads.flatMap((one) => one.unread) }
})
