/** Determines the decimals and symbol to pin for a token. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Prompts from "../terminal/Prompts.js"
import type { ConfigFile, Token } from "../config/ConfigFile.js"
import { formatChain, type KnownChain } from "./Directory.js"
import { failure } from "../output/Exit.js"
import { Flags } from "../flags/Flags.js"
import { Output } from "../output/Output.js"
import { bundledChain, bundledTokenAt } from "./bundledChains.js"
import { isSymbol, isConfusable, symbolFormat } from "./tokenSymbols.js"
import { stripControls } from "../output/sanitize.js"
import { readChain } from "./nodes.js"

/** Where the decimals come from. The service is never a source. */
const sources = ["node", "bundled", "typed"] as const
type Source = (typeof sources)[number]

/** The decimals and symbol that the user entered. */
export interface TypedFacts {
  readonly symbol: string | undefined
  readonly decimals: number | undefined
}

const unpinned = (message: string, next: string) => failure(`${message} Nothing was pinned.`, next)

const trusted = "Get the number from the issuer's website or a block explorer, not from the service."

/** Asks the user to enter the number of decimals, because users would confirm any number that they are shown. */
const promptDecimals = (address: string) =>
  Prompts.untilValid(
    Effect.flatMap(
      Prompts.text(`How many decimals does ${address} have? ${trusted}`, "Pass --decimals <count>, or --rpc <url>."),
      (text) =>
        /^\s*\d{1,3}\s*$/.test(text) && Number(text) <= 255
          ? Effect.succeed(Number(text))
          : Effect.fail(failure("Expected a whole number from 0 to 255.", "Enter the number again."))
    )
  )

const promptSymbol = (address: string) =>
  Prompts.untilValid(
    Effect.flatMap(Prompts.text(`Which symbol do you want to use for ${address}?`, "Pass --symbol <symbol>."), (text) =>
      isSymbol(text.trim())
        ? Effect.succeed(text.trim())
        : Effect.fail(failure(`Expected ${symbolFormat}.`, "Enter the symbol again."))
    )
  )

/** Compares the decimals from all sources, and fails if two of them differ. */
const decimalsOf = Effect.fnUntraced(function* (
  address: string,
  known: ReadonlyArray<{ readonly source: Source; readonly decimals: number }>,
  canAsk: boolean
) {
  const [first, ...others] = known
  const other = others.find(({ decimals }) => decimals !== first?.decimals)
  if (first !== undefined && other !== undefined) {
    const names = { node: "your node", bundled: "the bundled list", typed: "you" }
    return yield* unpinned(
      `${address} has ${first.decimals} decimals according to ${names[first.source]}, but ${other.decimals} according to ${names[other.source]}.`,
      "Find out which value is correct. A node that you do not run can also be wrong."
    )
  }
  if (first !== undefined) return first
  if (!canAsk) {
    return yield* unpinned(
      `The number of decimals for ${address} is unknown.`,
      `Pass your own node's URL with --rpc <url>, or the number with --decimals <count>. ${trusted}`
    )
  }
  return { source: "typed" as const, decimals: yield* promptDecimals(address) }
})

/** Rejects a symbol that is the same as, or looks like, the symbol of another token on the chain. */
const checkSymbol = Effect.fnUntraced(function* (symbol: string, address: string, chain: KnownChain) {
  const choose = "Choose another symbol with --symbol <symbol>."
  if (!isSymbol(symbol)) {
    return yield* unpinned(
      `"${stripControls(symbol)}" is not a valid symbol for ${address}: expected ${symbolFormat}.`,
      choose
    )
  }
  const others = [...chain.tokens, ...(bundledChain(chain.id)?.tokens ?? [])].filter(
    (token) => !Chain.sameAddress(chain.family, token.address, address)
  )
  const other = others.find((token) => isConfusable(token.symbol, symbol))
  if (other !== undefined) {
    return yield* unpinned(
      `"${symbol}" looks like ${other.symbol} on ${formatChain(chain)}, which is a different token: ${other.address}.`,
      `Check the address. ${choose}`
    )
  }
})

/** Returns the decimals and symbol to pin. `--yes` does not confirm either of them. */
export const factsToPin = Effect.fnUntraced(function* (
  chain: KnownChain,
  address: string,
  typed: TypedFacts,
  rpcUrl: string | undefined
) {
  const { interactive } = yield* Output
  const { yes } = yield* Flags
  const canAsk = interactive && !yes
  const bundled = bundledTokenAt(chain.id, address)
  const read =
    rpcUrl === undefined
      ? undefined
      : yield* readChain(chain, rpcUrl, (reader) => reader.token({ chainId: chain.id, address })).pipe(
          Effect.mapError(({ message }) =>
            unpinned(message, `Check --rpc, or chains.${chain.id}.rpcUrl in the configuration.`)
          )
        )
  const found = { node: read?.decimals, bundled: bundled?.decimals, typed: typed.decimals }
  const known = sources.flatMap((source) => {
    const decimals = found[source]
    return decimals === undefined ? [] : [{ source, decimals }]
  })
  const { decimals, source } = yield* decimalsOf(address, known, canAsk)
  const named = typed.symbol ?? bundled?.symbol ?? read?.symbol
  if (named === undefined && !canAsk) {
    return yield* unpinned(`The symbol of the token at ${address} cannot be read.`, "Pass --symbol <symbol>.")
  }
  const symbol = named ?? (yield* promptSymbol(address))
  yield* checkSymbol(symbol, address, chain)
  return { token: { symbol, address, decimals } satisfies Token, source }
})

type Chains = NonNullable<ConfigFile["chains"]>

/** Returns the configured chains with the tokens on one chain changed. */
export const withTokens = (
  chains: Chains | undefined,
  { id, family }: Pick<KnownChain, "id" | "family">,
  change: (tokens: ReadonlyArray<Token>) => ReadonlyArray<Token>
): Chains => {
  const entry = chains?.[id] ?? { family }
  return { ...chains, [id]: { ...entry, tokens: change(entry.tokens ?? []) } }
}
