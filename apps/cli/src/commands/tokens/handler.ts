/** Handles `geoswap tokens`: lists the pinned tokens and the tokens that the service lists. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Directory from "../../chains/Directory.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"

const list = Effect.fnUntraced(function* (chain: Option.Option<string>) {
  const output = yield* Output.Output
  const { chains } = yield* Directory.Directory
  const chosen = Option.isSome(chain) ? [yield* Directory.resolveChain(chain.value)] : chains
  const pinned = chosen.flatMap((one) => one.tokens.map((token) => ({ chain: one, token })))
  const listed = chosen.flatMap((one) => one.listed.map((token) => ({ chain: one, token })))
  const disputed = chosen.flatMap((one) => one.disputed.map((claim) => ({ chain: one, claim })))
  yield* output.result(
    {
      tokens: [
        ...pinned.map(({ chain: { id, name }, token: { address, decimals, native, symbol } }) => ({
          chainId: id,
          chain: name,
          symbol,
          address,
          decimals,
          native,
          pinned: true
        })),
        ...listed.map(({ chain: { id, name }, token: { address, symbol } }) => ({
          chainId: id,
          chain: name,
          symbol,
          address,
          native: false,
          pinned: false
        }))
      ]
    },
    ({ dim }) =>
      Output.table(
        [
          ...pinned.map(({ chain: { name }, token: { address, decimals, native, symbol } }) => [
            name,
            symbol,
            String(decimals),
            native ? "native token; can only be received" : address
          ]),
          ...listed.map(({ chain: { name }, token: { address, symbol } }) => [
            name,
            symbol,
            "?",
            `${address} (listed by the service, not pinned)`
          ])
        ],
        { head: ["chain", "symbol", "decimals", "address"], right: [2], style: dim }
      )
  )
  for (const { chain: one, claim } of disputed) {
    yield* output.notice(
      `${one.name}: the service claims ${claim.decimals} decimals for ${claim.token.symbol}. The pinned value, ${claim.token.decimals}, is used.`
    )
  }
  if (listed.length > 0 && output.mode !== "json" && output.mode !== "json-lines") {
    yield* output.notice(
      "Amounts of a token that is not pinned must be in that token's smallest unit. To pin a token, run geoswap token add."
    )
  }
})

/** Lists the tokens. */
export const run = ({ chain }: { readonly chain: Option.Option<string> }) => Effect.provide(list(chain), Session.reads)
