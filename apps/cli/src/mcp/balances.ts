/** Reads the balances of the pinned tokens, from the policy's nodes or the user's. */
import { Chain } from "@geoswap/core"
import type { Names, Session } from "@geoswap/tools"
import * as Effect from "effect/Effect"
import { readBalances } from "../chains/nodes.js"
import { Directory } from "../chains/Directory.js"
import { usableRules } from "./names.js"

/** Returns what reads the balances. A chain whose node does not answer has none. */
export const resolverOf = Effect.fnUntraced(function* ({ tokens }: Names) {
  const { chains } = yield* Directory
  const policies = yield* usableRules()
  const nodeOf = ({ id, rpcUrl }: (typeof chains)[number]) =>
    policies.map(({ nodes }) => nodes[`${id}`]).find((url) => url !== undefined) ?? rpcUrl
  const resolver: NonNullable<Session["resolver"]> = {
    balances: (wallets) =>
      Effect.runPromise(
        Effect.map(
          Effect.forEach(
            chains,
            (chain) => {
              const [wallet, node] = [wallets[chain.kind], nodeOf(chain)]
              if (wallet === undefined || node === undefined) return Effect.succeed([])
              const here = tokens
                .filter((token) => token.chainId === chain.id)
                .map((token) => ({
                  ...token,
                  pinned: true as const,
                  native: Chain.sameAddress(chain.kind, token.address, Chain.nativeToken[chain.kind])
                }))
              return readBalances(chain, node, wallet, here).pipe(
                Effect.map((read) => read.map(({ amount, token }) => ({ token, wallet, amount }))),
                Effect.orElseSucceed(() => [])
              )
            },
            { concurrency: 4 }
          ),
          (read) => read.flat()
        )
      )
  }
  return resolver
})
