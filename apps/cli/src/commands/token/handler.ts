/** Handles `geoswap token`: manages the pinned tokens in the configuration. None of the data comes from the service. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ConfigFile from "../../config/ConfigFile.js"
import * as Directory from "../../chains/Directory.js"
import { Failure, UsageError } from "../../output/Exit.js"
import { addressProblem } from "../../chains/addressProblem.js"
import { bundledChain, bundledChains } from "../../chains/bundledChains.js"
import { shellQuote } from "../../output/shellQuote.js"
import { factsToPin, withTokens } from "../../chains/pinToken.js"
import { stripControls } from "../../output/sanitize.js"
import * as Output from "../../output/Output.js"
import * as Settings from "../../config/Settings.js"

const usage = (message: string, next: string) => new UsageError({ message, next })

/** The chains that are known without the service: the configured and bundled chains. */
const offline = Effect.gen(function* () {
  const { chains } = yield* Settings.load
  const known = new Set(chains.map(({ id }) => id))
  const bundled = bundledChains
    .filter(({ id }) => !known.has(id))
    .map(({ id, kind }) => ({ id, kind, name: undefined, aliases: [], rpcUrl: undefined, tokens: [] }))
  return { directory: Directory.make([...chains, ...bundled], []), configured: Directory.make(chains, []) }
})

/**
 * Resolves a chain by name or id. An unknown chain can be resolved by its id, because the format of the token's address
 * reveals the chain's family.
 */
const chainOf = (directory: Directory.Directory, name: string, token: string) => {
  const id = /^[1-9]\d*$/.test(name) ? Number(name) : undefined
  const isNew = id !== undefined && Chain.isChainId(id) && directory.chains.every((chain) => chain.id !== id)
  const kind = Chain.isAddress("solana", token) ? "solana" : "evm"
  const all = isNew
    ? Directory.make([{ id, kind, name: undefined, aliases: [], rpcUrl: undefined, tokens: [] }], [])
    : directory
  return Effect.provideService(Directory.resolveChain(name), Directory.Directory, all)
}

/** Resolves a token by its address or, if the token is bundled, by its symbol. */
const addressOf = (chain: Directory.KnownChain, name: string): Effect.Effect<string, UsageError> => {
  const bundled = bundledChain(chain.id)?.tokens.find(({ symbol }) => symbol.toLowerCase() === name.toLowerCase())
  if (bundled !== undefined) return Effect.succeed(bundled.address)
  const problem = addressProblem(chain.kind, name)
  if (problem === undefined) {
    return Chain.sameAddress(chain.kind, name, Chain.nativeToken[chain.kind])
      ? Effect.fail(usage("The native token is always pinned.", `Use native@${chain.id}.`))
      : Effect.succeed(name)
  }
  return Effect.fail(
    name.startsWith("0x") || name.length > 20
      ? usage(
          `"${stripControls(name)}" is not an address on ${Directory.formatChain(chain)}: ${problem.what}`,
          problem.next
        )
      : usage(
          `There is no bundled token "${stripControls(name)}" on ${Directory.formatChain(chain)}.`,
          "Pass the token's address. Get it from a source you trust, not from the service."
        )
  )
}

const isUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Pins a token. */
export const add = Effect.fnUntraced(function* (args: {
  readonly chain: string
  readonly token: string
  readonly rpc: Option.Option<string>
  readonly symbol: Option.Option<string>
  readonly decimals: Option.Option<number>
}) {
  const output = yield* Output.Output
  const { config, path, save } = yield* ConfigFile.edit
  const { directory } = yield* offline
  const chain = yield* chainOf(directory, args.chain, args.token)
  const address = yield* addressOf(chain, args.token)
  const rpc = Option.getOrUndefined(args.rpc)
  if (rpc !== undefined && !isUrl(rpc))
    return yield* usage("--rpc is not an http(s) URL.", "Pass the URL of your own node.")
  const typed = { symbol: Option.getOrUndefined(args.symbol), decimals: Option.getOrUndefined(args.decimals) }
  const { source, token } = yield* factsToPin(chain, address, typed, rpc ?? chain.rpcUrl)
  const before = Directory.tokenAt(chain, address)
  const same = before?.decimals === token.decimals && before.symbol === token.symbol
  if (before !== undefined && !same) {
    return yield* new Failure({
      message: `${address} is already pinned as ${before.symbol} with ${before.decimals} decimals. No changes were made.`,
      next: `Remove it first: geoswap token remove ${chain.id} ${shellQuote(address)}`
    })
  }
  if (before === undefined) {
    const chains = withTokens(config.chains, chain, (tokens) => [...tokens, token])
    yield* save({ ...config, chains })
  }
  const sources = { node: "from your node", bundled: "from the bundled list", typed: "as you entered them" }
  yield* output.result(
    { token: { chainId: chain.id, chain: chain.name, ...token, native: false, pinned: true }, source, path },
    () =>
      [
        `Pinned ${token.symbol} on ${Directory.formatChain(chain)} in ${path}:`,
        `  ${token.address}, ${token.decimals} decimals (${sources[source]}).`,
        `1 ${token.symbol} is ${10n ** BigInt(token.decimals)} units.`
      ].join("\n")
  )
})

/** Lists the pinned tokens. */
export const list = Effect.fnUntraced(function* ({ chain: named }: { readonly chain: Option.Option<string> }) {
  const output = yield* Output.Output
  const { configured, directory } = yield* offline
  const chosen = Option.isSome(named) ? [yield* chainOf(directory, named.value, "")] : configured.chains
  const tokens = chosen.flatMap((chain) =>
    chain.tokens
      .filter(({ native }) => !native)
      .map(({ address, decimals, native, pinned, symbol }) => ({
        chainId: chain.id,
        chain: chain.name,
        symbol,
        address,
        decimals,
        native,
        pinned
      }))
  )
  yield* output.result({ tokens }, ({ dim }) =>
    tokens.length === 0
      ? "No tokens are pinned. To pin one, run: geoswap token add <chain> <token>"
      : Output.table(
          tokens.map(({ address, chain, decimals, symbol }) => [chain, symbol, String(decimals), address]),
          { head: ["chain", "symbol", "decimals", "address"], right: [2], style: dim }
        )
  )
})

/** Removes a pinned token. */
export const remove = Effect.fnUntraced(function* (args: { readonly chain: string; readonly token: string }) {
  const output = yield* Output.Output
  const { config, path, save } = yield* ConfigFile.edit
  const { directory } = yield* offline
  const chain = yield* chainOf(directory, args.chain, args.token)
  const token = yield* Directory.resolveToken(args.token, chain)
  if (!token.pinned || token.native) {
    return yield* new Failure({
      message: `${stripControls(args.token)} is not pinned on ${Directory.formatChain(chain)}.`,
      next: "Run geoswap token list."
    })
  }
  const chains = withTokens(config.chains, chain, (tokens) =>
    tokens.filter(({ address }) => !Chain.sameAddress(chain.kind, address, token.address))
  )
  yield* save({ ...config, chains })
  yield* output.result(
    { removed: { chainId: chain.id, chain: chain.name, symbol: token.symbol, address: token.address }, path },
    () => `Removed ${token.symbol} on ${Directory.formatChain(chain)}.`
  )
})
