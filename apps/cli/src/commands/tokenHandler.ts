/** `geoswap token`: the tokens that the user vouches for. They are in the configuration, and the service has no say. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ConfigFile from "../config/ConfigFile.js"
import * as Directory from "../chains/Directory.js"
import { Failure, UsageError } from "../output/Exit.js"
import { Flags } from "./Flags.js"
import { addressProblem } from "../chains/addressProblem.js"
import { bundledChain, bundledChains } from "../chains/bundledChains.js"
import { forShell } from "../output/shellQuote.js"
import { Host } from "../node/Host.js"
import { factsOf, withTokens } from "../setup/pinnedTokens.js"
import { clean } from "../output/text.js"
import * as Output from "../output/Output.js"
import * as Settings from "../config/Settings.js"

const usage = (message: string, next: string) => new UsageError({ message, next })

/** The chains that can be named without a service: the configured ones, and those that come with this program. */
const offline = Effect.gen(function* () {
  const { chains, devnetFile } = yield* Settings.load
  const known = new Set(chains.map(({ id }) => id))
  const bundled = bundledChains
    .filter(({ id }) => !known.has(id))
    .map(({ id, kind }) => ({ id, kind, name: undefined, aliases: [], rpcUrl: undefined, tokens: [] }))
  return { directory: Directory.make([...chains, ...bundled], []), configured: Directory.make(chains, []), devnetFile }
})

/** The chain that was named. An id of an unknown chain is enough: the form of the address says what family it is. */
const chainOf = (directory: Directory.Shape, name: string, token: string) => {
  const id = /^[1-9]\d*$/.test(name) ? Number(name) : undefined
  const isNew = id !== undefined && Chain.isChainId(id) && directory.chains.every((chain) => chain.id !== id)
  const kind = Chain.isAddress("solana", token) ? "solana" : "evm"
  const all = isNew
    ? Directory.make([{ id, kind, name: undefined, aliases: [], rpcUrl: undefined, tokens: [] }], [])
    : directory
  return Effect.provideService(Directory.resolveChain(name), Directory.Directory, all)
}

/** The address that was named, or that of a bundled token by its symbol. */
const addressOf = (chain: Directory.KnownChain, name: string): Effect.Effect<string, UsageError> => {
  const bundled = bundledChain(chain.id)?.tokens.find(({ symbol }) => symbol.toLowerCase() === name.toLowerCase())
  if (bundled !== undefined) return Effect.succeed(bundled.address)
  const problem = addressProblem(chain.kind, name)
  if (problem === undefined) {
    return Chain.sameAddress(chain.kind, name, Chain.nativeToken[chain.kind])
      ? Effect.fail(usage("The chain's own coin need not be pinned.", `It is called native@${chain.id}.`))
      : Effect.succeed(name)
  }
  return Effect.fail(
    name.startsWith("0x") || name.length > 20
      ? usage(`"${clean(name)}" is no address on ${Directory.chainWords(chain)}: ${problem.what}`, problem.next)
      : usage(
          `No token on ${Directory.chainWords(chain)} that comes with this program is called "${clean(name)}".`,
          "Name the token's address, from a source that you trust and not from the service."
        )
  )
}

/** The configuration file, which a devnet does not have. */
const file = Effect.gen(function* () {
  const flags = yield* Flags
  const host = yield* Host
  const { devnetFile } = yield* offline
  if (devnetFile !== undefined) {
    return yield* usage("The tokens of a devnet come from its file.", "Leave out --devnet to change your own tokens.")
  }
  const path = ConfigFile.pathOf(flags, host)
  return { path, config: yield* ConfigFile.readOrEmpty(path) }
})

const isUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Pins a token. */
export const add = Effect.fnUntraced(function* (given: {
  readonly chain: string
  readonly token: string
  readonly rpc: Option.Option<string>
  readonly symbol: Option.Option<string>
  readonly decimals: Option.Option<number>
}) {
  const output = yield* Output.Output
  const { config, path } = yield* file
  const { directory } = yield* offline
  const chain = yield* chainOf(directory, given.chain, given.token)
  const address = yield* addressOf(chain, given.token)
  const rpc = Option.getOrUndefined(given.rpc)
  if (rpc !== undefined && !isUrl(rpc)) return yield* usage("--rpc is no http(s) URL.", "Name your own node.")
  const said = { symbol: Option.getOrUndefined(given.symbol), decimals: Option.getOrUndefined(given.decimals) }
  const { source, token } = yield* factsOf(chain, address, said, rpc ?? chain.rpcUrl)
  const before = Directory.tokenAt(chain, address)
  const same = before?.decimals === token.decimals && before.symbol === token.symbol
  if (before !== undefined && !same) {
    return yield* new Failure({
      message: `${address} is pinned as ${before.symbol} with ${before.decimals} decimals. Nothing was changed.`,
      next: `Remove it first: geoswap token remove ${chain.id} ${forShell(address)}`
    })
  }
  if (before === undefined) {
    const chains = withTokens(config.chains, chain, (tokens) => [...tokens, token])
    yield* ConfigFile.write(path, yield* ConfigFile.parse(JSON.stringify({ ...config, chains }), path))
  }
  const words = {
    node: "your node says so",
    bundled: "from the list that comes with this program",
    typed: "as you typed"
  }
  yield* output.answer(
    { token: { chainId: chain.id, chain: chain.name, ...token, native: false, pinned: true }, source, path },
    () =>
      [
        `${token.symbol} on ${Directory.chainWords(chain)} is pinned in ${path}:`,
        `  ${token.address}, ${token.decimals} decimals (${words[source]}).`,
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
  yield* output.answer({ tokens }, ({ dim }) =>
    tokens.length === 0
      ? "No token is pinned. Pin one with: geoswap token add <chain> <token>"
      : Output.table(
          tokens.map(({ address, chain, decimals, symbol }) => [chain, symbol, String(decimals), address]),
          { head: ["chain", "symbol", "decimals", "address"], right: [2], style: dim }
        )
  )
})

/** Removes a pinned token. */
export const remove = Effect.fnUntraced(function* (given: { readonly chain: string; readonly token: string }) {
  const output = yield* Output.Output
  const { config, path } = yield* file
  const { directory } = yield* offline
  const chain = yield* chainOf(directory, given.chain, given.token)
  const token = yield* Directory.resolveToken(given.token, chain)
  if (!token.pinned || token.native) {
    return yield* new Failure({
      message: `${clean(given.token)} is not pinned on ${Directory.chainWords(chain)}.`,
      next: "See geoswap token list."
    })
  }
  const chains = withTokens(config.chains, chain, (tokens) =>
    tokens.filter(({ address }) => !Chain.sameAddress(chain.kind, address, token.address))
  )
  yield* ConfigFile.write(path, yield* ConfigFile.parse(JSON.stringify({ ...config, chains }), path))
  yield* output.answer(
    { removed: { chainId: chain.id, chain: chain.name, symbol: token.symbol, address: token.address }, path },
    () => `${token.symbol} on ${Directory.chainWords(chain)} is no longer pinned.`
  )
})
