/** Handles `geoswap token`: manages the pinned tokens in the configuration. None of the data comes from the service. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as ConfigFile from "../../config/ConfigFile.js"
import * as Directory from "../../chains/Directory.js"
import { addressProblem } from "../../chains/addressProblem.js"
import { bundledChain } from "../../chains/bundledChains.js"
import { factsToPin, type TypedFacts, withTokens } from "../../chains/pinToken.js"
import * as Settings from "../../config/Settings.js"
import { usage, failure } from "../../output/Exit.js"
import * as Output from "../../output/Output.js"
import { shellQuote } from "../../output/shellQuote.js"

/**
 * Resolves a configured or bundled chain by name or id. An unknown chain can be resolved by its id, because the format
 * of the token's address reveals the chain's family.
 */
const chainOf = Effect.fnUntraced(function* (name: string, token: string) {
  const { chains } = yield* Settings.load
  const id = Number(name)
  const family = Chain.isAddress("solana", token) ? "solana" : "evm"
  const isNew = Chain.isChainId(id) && bundledChain(id) === undefined && chains.every((chain) => chain.id !== id)
  const directory = Directory.withBundled(Directory.make(isNew ? [...chains, { id, family }] : chains, []))
  return yield* Effect.provideService(Directory.resolveChain(name), Directory.Directory, directory)
})

/** Resolves a token by its address or, if the token is bundled, by its symbol. */
const addressOf = Effect.fnUntraced(function* (chain: Directory.KnownChain, name: string) {
  const bundled = bundledChain(chain.id)?.tokens.find(({ symbol }) => symbol.toLowerCase() === name.toLowerCase())
  if (bundled !== undefined) return bundled.address
  const problem = addressProblem(chain.family, name)
  const where = Directory.formatChain(chain)
  if (problem !== undefined) {
    return yield* name.startsWith("0x") || name.length > 20
      ? usage(`"${Output.stripControls(name)}" is not an address on ${where}: ${problem.what}`, problem.next)
      : usage(
          `There is no bundled token "${Output.stripControls(name)}" on ${where}.`,
          "Pass the token's address. Get it from a source you trust, not from the service."
        )
  }
  return Chain.sameAddress(chain.family, name, Chain.nativeToken[chain.family])
    ? yield* usage("The native token is always pinned.", `Use native@${chain.id}.`)
    : name
})

/** Pins a token. */
export const add = Effect.fnUntraced(function* (
  args: TypedFacts & { readonly chain: string; readonly token: string; readonly rpc: string | undefined }
) {
  const { config, path, save } = yield* ConfigFile.edit
  const chain = yield* chainOf(args.chain, args.token)
  const address = yield* addressOf(chain, args.token)
  const { rpc = chain.rpcUrl } = args
  if (rpc !== undefined && !ConfigFile.isNodeUrl(rpc))
    return yield* usage("--rpc is not an http(s) URL.", "Pass the URL of your own node.")
  const { source, token } = yield* factsToPin(chain, address, args, rpc)
  const before = Directory.tokenAt(chain, address)
  if (before === undefined) {
    yield* save({ ...config, chains: withTokens(config.chains, chain, (tokens) => [...tokens, token]) })
  } else if (before.decimals !== token.decimals || before.symbol !== token.symbol) {
    return yield* failure(
      `${address} is already pinned as ${before.symbol} with ${before.decimals} decimals. No changes were made.`,
      `Remove it first: geoswap token remove ${chain.id} ${shellQuote(address)}`
    )
  }
  const sources = { node: "from your node", bundled: "from the bundled list", typed: "as you entered them" }
  yield* Output.result(
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
export const list = Effect.fnUntraced(function* (args: { readonly chain: string | undefined }) {
  const { chains } = Directory.make((yield* Settings.load).chains, [])
  const chosen = args.chain === undefined ? chains : [yield* chainOf(args.chain, "")]
  const tokens = chosen.flatMap(Directory.pinnedTokens).filter(({ native }) => !native)
  yield* Output.result({ tokens }, ({ dim }) =>
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
  const { config, path, save } = yield* ConfigFile.edit
  const chain = yield* chainOf(args.chain, args.token)
  const { address, ...token } = yield* Directory.resolveToken(args.token, chain)
  if (!token.pinned || token.native) {
    return yield* failure(
      `${Output.stripControls(args.token)} is not pinned on ${Directory.formatChain(chain)}.`,
      "Run geoswap token list."
    )
  }
  const chains = withTokens(config.chains, chain, (tokens) =>
    tokens.filter((other) => !Chain.sameAddress(chain.family, other.address, address))
  )
  yield* save({ ...config, chains })
  yield* Output.result(
    { removed: { chainId: chain.id, chain: chain.name, symbol: token.symbol, address }, path },
    () => `Removed ${token.symbol} on ${Directory.formatChain(chain)}.`
  )
})
