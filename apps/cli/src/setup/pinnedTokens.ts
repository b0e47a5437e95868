/** What is pinned: where the facts about a token come from, and which symbols it must not have. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Ask from "../terminal/Prompts.js"
import type { ConfigFile } from "../config/ConfigFile.js"
import { chainWords, type KnownChain } from "../chains/Directory.js"
import { Failure } from "../output/Exit.js"
import { Flags } from "../commands/Flags.js"
import { Output } from "../output/Output.js"
import type { Token } from "../config/Settings.js"
import { bundledChain, bundledTokenAt } from "../chains/bundledChains.js"
import { isSymbol, looksLike, symbolWords } from "../chains/tokenSymbols.js"
import { clean } from "../output/text.js"
import { readTokenFacts } from "../chains/readTokenFacts.js"

/** Where the decimals come from. What the service says is no source. */
export type Source = "node" | "bundled" | "typed"

/** What the user said about a token. */
export interface Said {
  readonly symbol: string | undefined
  readonly decimals: number | undefined
}

const failure = (message: string, next: string) => new Failure({ message: `${message} Nothing was pinned.`, next })

const trusted = "Take it from the issuer's page or a block explorer, not from the service."

/** Asks for the decimals themselves: a yes to a number that is shown would be a yes to anything. */
const typeDecimals = (address: string) =>
  Effect.map(
    Ask.text(`How many decimals has ${address}? ${trusted}`, "Add --decimals <count>, or --rpc <url>.", {
      validate: (text) =>
        /^\d{1,3}$/.test(text.trim()) && Number(text) <= 255 ? undefined : "Expected a whole number from 0 to 255."
    }),
    (text) => Number(text.trim())
  )

const typeSymbol = (address: string) =>
  Effect.map(
    Ask.text(`What do you call ${address}?`, "Add --symbol <symbol>.", {
      validate: (text) => (isSymbol(text.trim()) ? undefined : `Expected ${symbolWords}.`)
    }),
    (text) => text.trim()
  )

/** The decimals, from every source that there is: two that differ pin nothing. */
const decimalsOf = Effect.fnUntraced(function* (
  address: string,
  known: ReadonlyArray<{ readonly source: Source; readonly decimals: number }>,
  mayAsk: boolean
) {
  const [first, ...others] = known
  const other = others.find(({ decimals }) => decimals !== first?.decimals)
  if (first !== undefined && other !== undefined) {
    const words = { node: "your node", bundled: "the list that comes with this program", typed: "you" }
    return yield* failure(
      `The decimals of ${address} are ${first.decimals} according to ${words[first.source]}, and ${other.decimals} according to ${words[other.source]}.`,
      "Find out which is right. A node that you do not run can lie as well."
    )
  }
  if (first !== undefined) return first
  if (!mayAsk) {
    return yield* failure(
      `The decimals of ${address} are not known here.`,
      `Name your own node with --rpc <url>, or type them with --decimals <count>. ${trusted}`
    )
  }
  return { source: "typed" as const, decimals: yield* typeDecimals(address) }
})

/** Refuses a symbol that is, or looks like, the symbol of another token of the chain. */
const checkSymbol = Effect.fnUntraced(function* (symbol: string, address: string, chain: KnownChain) {
  const choose = "Choose another with --symbol <symbol>."
  if (!isSymbol(symbol)) {
    return yield* failure(
      `"${clean(symbol)}" is no symbol for ${address}, since it could be read as another one: expected ${symbolWords}.`,
      choose
    )
  }
  const others = [...chain.tokens, ...(bundledChain(chain.id)?.tokens ?? [])].filter(
    (token) => !Chain.sameAddress(chain.kind, token.address, address)
  )
  const other = others.find((token) => looksLike(token.symbol, symbol))
  if (other !== undefined) {
    return yield* failure(
      `"${symbol}" looks like ${other.symbol} on ${chainWords(chain)}, which is ${other.address}. The token at ${address} is another one.`,
      `Check the address. ${choose}`
    )
  }
})

/** The facts to pin about a token. `--yes` is no source of any. */
export const factsOf = Effect.fnUntraced(function* (
  chain: KnownChain,
  address: string,
  said: Said,
  rpcUrl: string | undefined
) {
  const { canAsk } = yield* Output
  const { yes } = yield* Flags
  const mayAsk = canAsk && !yes
  const bundled = bundledTokenAt(chain.id, address)
  const read =
    rpcUrl === undefined ? undefined : yield* readTokenFacts(rpcUrl, { chainId: chain.id, kind: chain.kind, address })
  const known: ReadonlyArray<{ readonly source: Source; readonly decimals: number }> = [
    ...(read === undefined ? [] : [{ source: "node" as const, decimals: read.decimals }]),
    ...(bundled === undefined ? [] : [{ source: "bundled" as const, decimals: bundled.decimals }]),
    ...(said.decimals === undefined ? [] : [{ source: "typed" as const, decimals: said.decimals }])
  ]
  const { decimals, source } = yield* decimalsOf(address, known, mayAsk)
  const named = said.symbol ?? bundled?.symbol ?? read?.symbol
  if (named === undefined && !mayAsk) {
    return yield* failure(`The token at ${address} has no symbol that can be read.`, "Add --symbol <symbol>.")
  }
  const symbol = named ?? (yield* typeSymbol(address))
  yield* checkSymbol(symbol, address, chain)
  return { token: { symbol, address, decimals } satisfies Token, source }
})

type Chains = NonNullable<ConfigFile["chains"]>

/** The configured chains with other pinned tokens on one of them. */
export const withTokens = (
  chains: Chains | undefined,
  { id, kind }: Pick<KnownChain, "id" | "kind">,
  change: (tokens: ReadonlyArray<Token>) => ReadonlyArray<Token>
): Chains => {
  const entry = chains?.[id] ?? { kind }
  return { ...chains, [id]: { ...entry, tokens: change(entry.tokens ?? []) } }
}
