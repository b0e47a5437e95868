/** Compares what is expected of a Solana network with one of its nodes. */
import type { NodeError, RpcCall } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Expectations } from "./expectations.js"

/** The only token program that the service supports. */
const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"

/** The size of a mint account, and the position of the decimals in it. */
const mint = { bytes: 82, decimals: 44 }

const Account = Schema.Struct({
  value: Schema.NullOr(Schema.Struct({ owner: Schema.String, data: Schema.Tuple([Schema.String, Schema.String]) }))
})
const decode = Schema.decodeUnknownOption(Account)

/** Returns the problems with a network, according to a node. */
export const verifySolana = (
  { genesisHash, tokens }: Expectations,
  call: RpcCall
): Effect.Effect<ReadonlyArray<string>, NodeError> =>
  Effect.gen(function* () {
    if (genesisHash !== undefined) {
      const found = yield* call("getGenesisHash", [])
      if (found !== genesisHash) return [`expected the genesis hash ${genesisHash}, got ${JSON.stringify(found)}.`]
    }
    const problems = yield* Effect.forEach(
      tokens,
      Effect.fnUntraced(function* ({ address, decimals, symbol }) {
        const what = `${symbol} (${address})`
        const answer = decode(yield* call("getAccountInfo", [address, { encoding: "base64", commitment: "confirmed" }]))
        const account = answer._tag === "Some" ? answer.value.value : null
        if (account === null) return [`${what}: there is no account.`]
        const data = Buffer.from(account.data[0], "base64")
        if (account.owner !== tokenProgram || data.length !== mint.bytes) {
          return [
            `${what}: expected a mint of ${tokenProgram}, got an account of ${account.owner} with ${data.length} bytes.`
          ]
        }
        const found = data[mint.decimals]
        return found === decimals ? [] : [`${what}: expected ${decimals} decimals, got ${found}.`]
      }),
      { concurrency: 4 }
    )
    return problems.flat()
  })
