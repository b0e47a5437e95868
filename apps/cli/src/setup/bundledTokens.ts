/** The tokens that come with this program, pinned by `geoswap init` on the chains that are set up. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Ask from "../terminal/Prompts.js"
import type { ConfigFile } from "../config/ConfigFile.js"
import { Output } from "../output/Output.js"
import { type BundledChain, bundledChain } from "../chains/bundledChains.js"
import { looksLike } from "../chains/tokenSymbols.js"
import { withTokens } from "./pinnedTokens.js"

type Chains = NonNullable<ConfigFile["chains"]>

/** A chain with those of its bundled tokens that are not pinned yet, by address or by a symbol that is in use. */
const unpinnedOn = (chain: BundledChain, chains: Chains | undefined): BundledChain => {
  const own = chains?.[chain.id]?.tokens ?? []
  return {
    ...chain,
    tokens: chain.tokens.filter(({ address, symbol }) =>
      own.every((token) => !Chain.sameAddress(chain.kind, token.address, address) && !looksLike(token.symbol, symbol))
    )
  }
}

/** How the user decides: `pin` by a flag of its own, `ask` at a terminal, `leave` otherwise. `--yes` decides nothing. */
export type Choice = "pin" | "ask" | "leave"

/** The configured chains with the bundled tokens of some chains, if that is agreed to. */
export const pinBundled = Effect.fnUntraced(function* (
  chains: Chains | undefined,
  ids: ReadonlyArray<number>,
  choice: Choice
) {
  const offered = ids
    .flatMap((id) => {
      const chain = bundledChain(id)
      // A chain that is configured as another family is not the one that this program knows.
      return chain === undefined || (chains?.[id]?.kind ?? chain.kind) !== chain.kind ? [] : [unpinnedOn(chain, chains)]
    })
    .filter(({ tokens }) => tokens.length > 0)
  if (offered.length === 0 || choice === "leave") return { chains, pinned: [] }
  const output = yield* Output
  yield* output.remark(
    [
      "",
      "These tokens come with this program. Only amounts of pinned tokens can be given in whole tokens:",
      ...offered.flatMap(({ id, name, tokens }) =>
        tokens.map(({ address, decimals, symbol }) => `  ${name} (${id})  ${symbol}  ${decimals} decimals  ${address}`)
      )
    ].join("\n")
  )
  if (choice === "ask" && !(yield* Ask.confirm("Pin these tokens?"))) return { chains, pinned: [] }
  return {
    chains: offered.reduce<Chains | undefined>(
      (all, chain) => withTokens(all, chain, (tokens) => [...tokens, ...chain.tokens]),
      chains
    ),
    pinned: offered.flatMap(({ id, tokens }) => tokens.map((token) => ({ chainId: id, ...token })))
  }
})
