/** Derives a server configuration from the file written by a devnet. */
import type { Config } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Kind = Schema.Literals(["evm", "solana"])

/** The fields of `.geoswap/devnet.json` that a server needs. */
export const Description = Schema.Struct({
  chains: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      name: Schema.String,
      family: Kind,
      rpcUrl: Schema.String,
      tokens: Schema.Array(Schema.Struct({ symbol: Schema.String, address: Schema.String, decimals: Schema.Int })),
      contracts: Schema.Struct({
        account: Schema.optionalKey(Schema.String),
        vault: Schema.String
      })
    })
  ).check(Schema.isMinLength(1)),
  wallets: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ name: Schema.String, family: Kind, address: Schema.String, privateKey: Schema.String })
    )
  ),
  operators: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        family: Kind,
        role: Schema.Literals(["relayer", "owner", "vault"]),
        // The key is printed in a shell export, so it must not contain characters that have a special meaning in a
        // shell.
        privateKey: Schema.String.check(Schema.isPattern(/^[0-9A-Za-z]+$/))
      })
    )
  )
})
export type Description = typeof Description.Type

/** The text is not a devnet file. */
export class InvalidDescription extends Schema.TaggedError<InvalidDescription>()("InvalidDescription", {}) {
  override get message() {
    return "This is not a devnet file. Pass the .geoswap/devnet.json file written by geoswap-devnet."
  }
}

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Description))

/** Parses the contents of a devnet file. */
export const parse = (text: string) =>
  // The details of the error could contain a key.
  Effect.mapError(decode(text), () => new InvalidDescription())

/** A configuration file before decoding. */
export type ConfigFile = (typeof Config.Config)["Encoded"]

/** Prices for the devnet's tokens. */
const prices = {
  USDC: { usd: "1", depthUsd: "1000000000" },
  WETH: { usd: "4000", depthUsd: "50000000" },
  ETH: { usd: "4000", depthUsd: "50000000" },
  SOL: { usd: "200", depthUsd: "20000000" },
  GEO: { usd: "0.5", depthUsd: "2000000" }
}

type TokenPayments = Config.TokenPayments

/** What the devnet's tokens offer on EVM chains: the EIP-712 domains have version 1. */
const payments: Readonly<Record<string, TokenPayments>> = {
  USDC: { methods: ["eip3009", "permit2", "erc2612"], name: "USD Coin", version: "1" },
  WETH: { methods: ["permit2", "erc2612"], name: "Wrapped Ether", version: "1" },
  GEO: { methods: ["permit2", "erc2612"], name: "GeoSwap", version: "1" }
}

/** Adds what a token offers. */
const withPayments = <T extends { readonly symbol: string }>(token: T) => {
  const offered = payments[token.symbol]
  return offered === undefined ? token : { ...token, payments: offered }
}

/**
 * Returns the configuration file for a devnet. A devnet has fast blocks and no reorgs, so two blocks are enough.
 */
export const fileOf = ({ chains }: Pick<Description, "chains">): ConfigFile => {
  const [first, ...rest] = chains.map(({ contracts, id, family, name, rpcUrl, tokens }) => {
    const any = { id, name, rpcUrls: [rpcUrl] as const, tokens, pollMillis: 200 }
    return family === "evm"
      ? {
          ...any,
          tokens: tokens.map(withPayments),
          payments: { permit2: true },
          kind: family,
          vaults: [{ address: contracts.vault, delegate: contracts.account ?? "" }] as const,
          finality: [{ after: { blocks: 2 } }] as const,
          stuckAfterMillis: 5_000
        }
      : { ...any, kind: family, vault: contracts.vault }
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
    execution: { deliveryRetryMillis: 5_000, venueRetryMillis: 10_000 }
  }
}

/** Returns the devnet operators' secrets as environment variables. */
export const secretsOf = ({ operators = [] }: Pick<Description, "operators">): Readonly<Record<string, string>> => {
  const keyOf = (family: "evm" | "solana", role: "relayer" | "vault") =>
    operators.find((operator) => operator.family === family && operator.role === role)?.privateKey ?? ""
  return {
    GEOSWAP_EVM_RELAYER_KEY: keyOf("evm", "relayer"),
    GEOSWAP_SOLANA_RELAYER_KEY: keyOf("solana", "relayer"),
    GEOSWAP_SOLANA_VAULT_KEY: keyOf("solana", "vault")
  }
}
