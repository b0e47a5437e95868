/** Handles `geoswap token search`: searches the pinned and bundled tokens, and those that the service lists. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Directory from "../../chains/Directory.js"
import { bundledChain } from "../../chains/bundledChains.js"
import * as Settings from "../../config/Settings.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"

const descriptions = {
  pinned: "pinned",
  bundled: "bundled, not pinned",
  service: "listed by the service, not pinned"
}

interface Found {
  readonly symbol: string
  readonly address: string
  readonly decimals?: number
  readonly native?: boolean
  /** Where the token is known from. Only a pinned token has decimals that are used. */
  readonly source: keyof typeof descriptions
}

/** All known tokens of a chain. A token that is known from several sources is listed once, with the most trusted one. */
const tokensOf = (chain: Directory.KnownChain) => {
  const all: ReadonlyArray<Found> = [
    ...(chain.isBundled ? [] : chain.tokens.map((token) => ({ ...token, source: "pinned" as const }))),
    ...(bundledChain(chain.id)?.tokens ?? []).map((token) => ({ ...token, source: "bundled" as const })),
    ...chain.listed.map((token) => ({ ...token, source: "service" as const }))
  ]
  return all
    .filter(
      ({ address }, at) => all.findIndex((other) => Chain.sameAddress(chain.family, other.address, address)) === at
    )
    .map(({ address, decimals, native = false, source, symbol }) => ({
      chainId: chain.id,
      chain: chain.name,
      symbol,
      address,
      decimals,
      native,
      pinned: source === "pinned",
      source
    }))
}

/** The exact symbols first, and then the symbols that start with the text. */
const rankOf = (symbol: string, wanted: string) =>
  symbol.toLowerCase() === wanted ? 0 : symbol.toLowerCase().startsWith(wanted) ? 1 : 2

/** Searches the tokens. Without the service, searches only the pinned and bundled tokens. */
export const search = Effect.fnUntraced(function* ({ text }: { readonly text: string }) {
  const loaded = yield* Effect.result(Effect.provide(Directory.Directory, Session.reads))
  const directory = Directory.withBundled(
    loaded._tag === "Success" ? loaded.success : Directory.make((yield* Settings.load).chains, [])
  )
  const [, symbol = text, chainName] = /^(.*)@(.*)$/.exec(text) ?? []
  const wanted = symbol.toLowerCase()
  const chains = yield* Effect.provideService(Directory.chooseChains(chainName), Directory.Directory, directory)
  const sources = Object.keys(descriptions)
  const tokens = chains
    .flatMap(tokensOf)
    .filter((token) => token.symbol.toLowerCase().includes(wanted) || token.address.toLowerCase().includes(wanted))
    .toSorted((one, other) => sources.indexOf(one.source) - sources.indexOf(other.source))
    .toSorted((one, other) => rankOf(one.symbol, wanted) - rankOf(other.symbol, wanted))
  yield* Output.result({ tokens }, ({ dim }) =>
    tokens.length === 0
      ? `No token matches "${Output.stripControls(text)}".`
      : Output.table(
          tokens.map((token) => [
            token.symbol,
            token.chain,
            String(token.decimals ?? "?"),
            token.native ? "native token" : token.address,
            descriptions[token.source]
          ]),
          { head: ["symbol", "chain", "decimals", "address", ""], right: [2], style: dim }
        )
  )
  const unpinned = tokens.find(({ source }) => source === "bundled")
  if (unpinned !== undefined) {
    yield* Output.hint(`To pin a token, run: geoswap token add ${unpinned.chainId} ${unpinned.symbol.toLowerCase()}`)
  }
  if (loaded._tag === "Failure") {
    yield* Output.hint(`The service's tokens were not searched. ${Output.sanitize(loaded.failure.message, 400)}`)
  }
})
