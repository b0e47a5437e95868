/** The configuration of a server on a devnet, from the file that the devnet writes. */
import type { Config } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Kind = Schema.Literals(["evm", "solana"])

/** What is needed of `.geoswap/devnet.json`. */
export const Description = Schema.Struct({
  chains: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      name: Schema.String,
      kind: Kind,
      rpcUrl: Schema.String,
      tokens: Schema.Array(Schema.Struct({ symbol: Schema.String, address: Schema.String, decimals: Schema.Int })),
      contracts: Schema.Struct({ account: Schema.optionalKey(Schema.String), vault: Schema.String })
    })
  ),
  wallets: Schema.optionalKey(
    Schema.Array(Schema.Struct({ name: Schema.String, kind: Kind, address: Schema.String, privateKey: Schema.String }))
  ),
  operators: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        kind: Kind,
        role: Schema.Literals(["relayer", "owner", "vault"]),
        // Shells are given these: nothing in them may mean anything there.
        privateKey: Schema.String.check(Schema.isPattern(/^[0-9A-Za-z]+$/))
      })
    )
  )
})
export type Description = typeof Description.Type

/** The text is not what a devnet writes. */
export class InvalidDescription extends Schema.TaggedError<InvalidDescription>()("InvalidDescription", {}) {
  override get message(): string {
    return "This is not the file of a devnet: it is written by geoswap-devnet, as .geoswap/devnet.json."
  }
}

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Description))

/** Reads the text of the file. */
export const parse = (text: string): Effect.Effect<Description, InvalidDescription> =>
  decode(text).pipe(
    // What it says could hold a key.
    Effect.mapError(() => new InvalidDescription()),
    Effect.filterOrFail(
      ({ chains }) => chains.length > 0,
      () => new InvalidDescription()
    )
  )

/** The file of a server as it is written. */
export type ConfigFile = (typeof Config.Config)["Encoded"]

/** Prices that make sense for the devnet's tokens. */
const prices = {
  USDC: { usd: "1", depthUsd: "1000000000" },
  WETH: { usd: "4000", depthUsd: "50000000" },
  ETH: { usd: "4000", depthUsd: "50000000" },
  SOL: { usd: "200", depthUsd: "20000000" },
  GEO: { usd: "0.5", depthUsd: "2000000" }
}

/** The file. A devnet has blocks by the second at least, and forgets nothing: two of them are enough. */
export const fileOf = ({ chains }: Pick<Description, "chains">): ConfigFile => {
  const [first, ...rest] = chains.map(({ contracts, id, kind, name, rpcUrl, tokens }) => {
    const any = { id, name, rpcUrls: [rpcUrl] as const, tokens, pollMillis: 200 }
    return kind === "evm"
      ? {
          ...any,
          kind,
          vault: contracts.vault,
          delegate: contracts.account ?? "",
          confirmations: 2,
          stuckAfterMillis: 5_000
        }
      : { ...any, kind, vault: contracts.vault }
  })
  if (first === undefined) throw new RangeError("The devnet has no chains.")
  return {
    environment: "devnet",
    chains: [first, ...rest],
    venue: { kind: "table", prices },
    fees: {
      baseFeeBps: 10,
      token: "GEO",
      tiers: [
        { tier: "silver", minimum: "100", discountPercent: 20 },
        { tier: "gold", minimum: "10000", discountPercent: 50 }
      ]
    },
    execution: { deliveryPatienceMillis: 5_000, venuePatienceMillis: 10_000 }
  }
}

/** The secrets of the devnet's operators, as environment variables. */
export const secretsOf = ({ operators = [] }: Pick<Description, "operators">): Readonly<Record<string, string>> => {
  const keyOf = (kind: "evm" | "solana", role: "relayer" | "vault") =>
    operators.find((operator) => operator.kind === kind && operator.role === role)?.privateKey ?? ""
  return {
    GEOSWAP_EVM_RELAYER_KEY: keyOf("evm", "relayer"),
    GEOSWAP_SOLANA_RELAYER_KEY: keyOf("solana", "relayer"),
    GEOSWAP_SOLANA_VAULT_KEY: keyOf("solana", "vault")
  }
}
