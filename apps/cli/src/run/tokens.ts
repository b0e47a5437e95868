/** `geoswap tokens`: the tokens of one chain, or of all. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Directory from "../Directory.js"
import * as Output from "../Output.js"
import * as Session from "../Session.js"

const list = Effect.fnUntraced(function* (chain: Option.Option<string>) {
  const output = yield* Output.Output
  const { chains } = yield* Directory.Directory
  const chosen = Option.isSome(chain) ? [yield* Directory.resolveChain(chain.value)] : chains
  const tokens = chosen.flatMap((one) => one.tokens.map((token) => ({ chain: one, token })))
  yield* output.answer(
    {
      tokens: tokens.map(({ chain: { id, name }, token: { address, decimals, native, symbol } }) => ({
        chainId: id,
        chain: name,
        symbol,
        address,
        decimals,
        native
      }))
    },
    ({ dim }) =>
      Output.table(
        tokens.map(({ chain: { name }, token: { address, decimals, native, symbol } }) => [
          name,
          symbol,
          String(decimals),
          native ? "the chain's own coin; only to be received" : address
        ]),
        { head: ["chain", "symbol", "decimals", "address"], right: [2], style: dim }
      )
  )
})

/** Lists the tokens. */
export const run = ({ chain }: { readonly chain: Option.Option<string> }) => Effect.provide(list(chain), Session.reads)
