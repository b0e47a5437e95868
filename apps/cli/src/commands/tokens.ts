/** Handles `geoswap tokens`: lists the pinned tokens and the tokens that the service lists. */
import * as Effect from "effect/Effect"
import * as Directory from "../chains/Directory.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"

/** Lists the tokens. */
export const run = Effect.fnUntraced(function* (args: { readonly chain: string | undefined }) {
  const chains = yield* Directory.chooseChains(args.chain)
  const tokens = [
    ...chains.flatMap(Directory.pinnedTokens),
    ...chains.flatMap(({ id, listed, name }) =>
      listed.map((token) => ({ chainId: id, chain: name, ...token, decimals: undefined, native: false, pinned: false }))
    )
  ]
  yield* Output.result({ tokens }, ({ dim }) =>
    Output.table(
      tokens.map(({ address, chain, decimals = "?", native, pinned, symbol }) => [
        chain,
        symbol,
        String(decimals),
        native
          ? "native token; can only be received"
          : pinned
            ? address
            : `${address} (listed by the service, not pinned)`
      ]),
      { head: ["chain", "symbol", "decimals", "address"], right: [2], style: dim }
    )
  )
  for (const { disputed, name } of chains) {
    for (const { decimals, token } of disputed) {
      yield* Output.notice(
        `${name}: the service claims ${decimals} decimals for ${token.symbol}. The pinned value, ${token.decimals}, is used.`
      )
    }
  }
  if (tokens.some(({ pinned }) => !pinned)) {
    yield* Output.hint(
      "Amounts of a token that is not pinned must be in that token's smallest unit. To pin a token, run geoswap token add."
    )
  }
}, Effect.provide(Session.reads))
