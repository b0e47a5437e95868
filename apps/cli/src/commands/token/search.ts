/** Handles `geoswap token search`: searches the pinned and bundled tokens, and those that the service lists. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Directory from "../../chains/Directory.js"
import { bundledChains } from "../../chains/bundledChains.js"
import * as Settings from "../../config/Settings.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"

/** Where a token is known from. Only a pinned token has decimals that are used. */
type Source = "pinned" | "bundled" | "service"

interface Found {
  readonly chain: Pick<Directory.KnownChain, "id" | "kind" | "name">
  readonly symbol: string
  readonly address: string
  readonly decimals: number | undefined
  readonly native: boolean
  readonly source: Source
}

/** All known tokens. A token that is known from several sources is listed once, with the most trusted one. */
const tokensOf = (chains: ReadonlyArray<Directory.KnownChain>): ReadonlyArray<Found> => {
  const pinned = chains.flatMap((chain) =>
    chain.tokens.map((token) => ({ ...token, chain, source: "pinned" as const }))
  )
  const bundled = bundledChains.flatMap((chain) =>
    chain.tokens.map((token) => ({ ...token, chain, native: false, source: "bundled" as const }))
  )
  const listed = chains.flatMap((chain) =>
    chain.listed.map((token) => ({ ...token, chain, decimals: undefined, native: false, source: "service" as const }))
  )
  const all: ReadonlyArray<Found> = [...pinned, ...bundled, ...listed]
  return all.filter(
    (token, at) =>
      !all
        .slice(0, at)
        .some(
          (other) =>
            other.chain.id === token.chain.id && Chain.sameAddress(token.chain.kind, other.address, token.address)
        )
  )
}

/** The exact symbols first, and then the symbols that start with the text. */
const rankOf = ({ symbol }: Found, wanted: string): number => {
  const name = symbol.toLowerCase()
  return name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2
}

const descriptions: Readonly<Record<Source, string>> = {
  pinned: "pinned",
  bundled: "bundled, not pinned",
  service: "listed by the service, not pinned"
}

/** `unsearched` says why the service's tokens were not searched. */
const searchIn = Effect.fnUntraced(function* (text: string, { chains }: Directory.Directory, unsearched?: string) {
  const output = yield* Output.Output
  const at = text.lastIndexOf("@")
  const wanted = (at < 0 ? text : text.slice(0, at)).toLowerCase()
  const bundled = bundledChains
    .filter(({ id }) => chains.every((chain) => chain.id !== id))
    .map(({ aliases, id, kind, name }) => ({ id, kind, name, aliases, rpcUrl: undefined, tokens: [] }))
  const known = [...chains, ...Directory.make(bundled, []).chains.map((chain) => ({ ...chain, tokens: [] }))]
  const only =
    at < 0
      ? undefined
      : yield* Effect.provideService(Directory.resolveChain(text.slice(at + 1)), Directory.Directory, {
          chains: known,
          familyOf: Chain.defaultFamily
        })
  const found = tokensOf(known)
    .filter(
      ({ address, chain, symbol }) =>
        (only === undefined || chain.id === only.id) &&
        (symbol.toLowerCase().includes(wanted) || address.toLowerCase().includes(wanted))
    )
    .toSorted((one, other) => rankOf(one, wanted) - rankOf(other, wanted))
  yield* output.result(
    {
      tokens: found.map(({ address, chain, decimals, native, source, symbol }) => ({
        chainId: chain.id,
        chain: chain.name,
        symbol,
        address,
        ...(decimals !== undefined && { decimals }),
        native,
        pinned: source === "pinned",
        source
      }))
    },
    ({ dim }) =>
      found.length === 0
        ? `No token matches "${Output.stripControls(text)}".`
        : Output.table(
            found.map(({ address, chain, decimals, native, source, symbol }) => [
              symbol,
              chain.name,
              decimals === undefined ? "?" : String(decimals),
              native ? "native token" : address,
              descriptions[source]
            ]),
            { head: ["symbol", "chain", "decimals", "address", ""], right: [2], style: dim }
          )
  )
  if (output.mode === "json" || output.mode === "json-lines") return
  const unpinned = found.find(({ source }) => source === "bundled")
  if (unpinned !== undefined) {
    yield* output.notice(`To pin a token, run: geoswap token add ${unpinned.chain.id} ${unpinned.symbol.toLowerCase()}`)
  }
  if (unsearched !== undefined) {
    yield* output.notice(`The service's tokens were not searched. ${Output.sanitize(unsearched, 400)}`)
  }
})

/** Searches the tokens. Without the service, searches only the pinned and bundled tokens. */
export const search = ({ text }: { readonly text: string }) =>
  Effect.gen(function* () {
    const directory = yield* Effect.result(Effect.provide(Directory.Directory, Session.reads))
    if (directory._tag === "Success") return yield* searchIn(text, directory.success)
    const { chains } = yield* Settings.load
    return yield* searchIn(text, Directory.make(chains, []), directory.failure.message)
  })
