/** Pins the bundled tokens in `geoswap init`, on the chains with pinned contracts. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Prompts from "../../terminal/Prompts.js"
import type { ConfigFile } from "../../config/ConfigFile.js"
import * as Output from "../../output/Output.js"
import { type BundledChain, bundledChain } from "../../chains/bundledChains.js"
import { isConfusable } from "../../chains/tokenSymbols.js"
import { withTokens } from "../../chains/pinToken.js"

type Chains = NonNullable<ConfigFile["chains"]>

/** Returns a bundled chain with only those tokens whose address and symbol are not yet in use. */
const unpinnedOn = (chain: BundledChain, chains: Chains | undefined): BundledChain => {
  const own = chains?.[chain.id]?.tokens ?? []
  return {
    ...chain,
    tokens: chain.tokens.filter(({ address, symbol }) =>
      own.every(
        (token) => !Chain.sameAddress(chain.family, token.address, address) && !isConfusable(token.symbol, symbol)
      )
    )
  }
}

/**
 * What to do with the bundled tokens: `pin` them if `--bundled-tokens` is passed, `ask` the user at a terminal, and
 * `skip` them otherwise. `--yes` does not pin tokens.
 */
export type Choice = "pin" | "ask" | "skip"

/** Offers to pin the bundled tokens on the given chains, and returns the configured chains with the accepted tokens. */
export const offerBundledTokens = Effect.fnUntraced(function* (
  chains: Chains | undefined,
  ids: ReadonlyArray<number>,
  choice: Choice
) {
  const offered = ids
    .flatMap((id) => {
      const chain = bundledChain(id)
      // A chain that is configured with a different family is not the bundled chain.
      return chain === undefined || (chains?.[id]?.family ?? chain.family) !== chain.family
        ? []
        : [unpinnedOn(chain, chains)]
    })
    .filter(({ tokens }) => tokens.length > 0)
  if (offered.length === 0 || choice === "skip") return { chains, pinned: [] }
  yield* Output.notice(
    [
      "",
      "You can enter amounts in tokens, instead of in the smallest unit, only for pinned tokens. These tokens are bundled with geoswap:",
      ...offered.flatMap(({ id, name, tokens }) =>
        tokens.map(({ address, decimals, symbol }) => `  ${name} (${id})  ${symbol}  ${decimals} decimals  ${address}`)
      )
    ].join("\n")
  )
  if (choice === "ask" && !(yield* Prompts.confirm("Pin these tokens?"))) return { chains, pinned: [] }
  return {
    chains: offered.reduce<Chains | undefined>(
      (all, chain) => withTokens(all, chain, (tokens) => [...tokens, ...chain.tokens]),
      chains
    ),
    pinned: offered.flatMap(({ id, tokens }) => tokens.map((token) => ({ chainId: id, ...token })))
  }
})
