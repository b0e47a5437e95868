/** What the server tells the page: where the service is, its chains, tokens and contracts, and on a devnet wallets to play with. */
import { Chain as Chains } from "@geoswap/core"
import type { Deployment } from "@geoswap/core/promise"
import type { PinnedTokens, PinnedToken } from "@geoswap/react"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A chain and a wallet are EVM-like or Solana-like. */
export type Family = "evm" | "solana"

const Kind = Schema.Literals(["evm", "solana"])
const Text = Schema.NonEmptyString

const Decimals = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))

const Token = Schema.Struct({ symbol: Text, address: Text, decimals: Decimals })

const Chain = Schema.Struct({
  id: Schema.Int,
  name: Text,
  kind: Kind,
  native: Schema.Struct({ symbol: Text, decimals: Decimals }),
  /** The tokens that amounts are computed with. */
  tokens: Schema.Array(Token),
  /** Where a transaction is shown, with `{hash}` in the place of its hash. */
  explorer: Schema.optionalKey(Text),
  deployment: Schema.Struct({
    delegates: Schema.optionalKey(Schema.Array(Text)),
    vault: Text,
    relayer: Schema.optionalKey(Text),
    older: Schema.optionalKey(Schema.Array(Schema.Struct({ delegate: Text, vault: Text })))
  })
})

const Burner = Schema.Struct({ name: Text, kind: Kind, address: Text, privateKey: Text })

/** A wallet whose key everybody knows, for play money. */
export type Burner = typeof Burner.Type

const Config = Schema.Struct({
  /** The service, as this site's own server passes it on. */
  service: Text,
  highImpactBps: Schema.optionalKey(Schema.Int),
  chains: Schema.Array(Chain),
  devnet: Schema.optionalKey(Schema.Struct({ wallets: Schema.Array(Burner) }))
})

/** The settings of the page. */
export type Config = typeof Config.Type

const decode = Schema.decodeUnknownOption(Config)

/** Reads a configuration, or nothing where it is none. */
const configOf = (json: unknown): Config | undefined => Option.getOrUndefined(decode(json))

/** Asks the server for the configuration. */
export const loadConfig = async (): Promise<Config> => {
  const response = await fetch("/web/config.json")
  if (!response.ok) throw new Error(`The server has no settings for this page (HTTP ${response.status}).`)
  const config = configOf(await response.json())
  if (config === undefined) throw new Error("The server's settings for this page are damaged: tell its operator.")
  return config
}

/** Something of each chain by its id. */
const byId = <A>(config: Config, of: (chain: Config["chains"][number]) => A): Readonly<Record<number, A>> =>
  Object.fromEntries(config.chains.map((chain) => [chain.id, of(chain)]))

/** The contracts to trust, chain by chain: they come with the page, never from the service. */
export const deploymentsOf = (config: Config): Readonly<Record<number, Deployment>> =>
  byId(config, ({ deployment }) => deployment)

/** Which chain ids are of which family. */
export const familiesOf = (config: Config): Readonly<Record<number, Family>> => byId(config, ({ kind }) => kind)

/** Returns the family of a chain (default: `evm`). */
export const familyOf = (config: Config, chainId: number): Family =>
  config.chains.find(({ id }) => id === chainId)?.kind ?? "evm"

/** The chains and tokens that the page vouches for: what the service lists changes no name, no symbol and no decimals. */
export const pinnedOf = (config: Config): PinnedTokens => ({
  tokens: config.chains.flatMap(({ id, tokens }) => tokens.map((token) => ({ ...token, chain: id }))),
  natives: byId(config, ({ native }) => native),
  chainNames: byId(config, ({ name }) => name)
})

/** The pinned token of a request; `undefined` where the page does not know it. */
export const tokenOf = (
  config: Config,
  chainId: number,
  address: string
): Omit<PinnedToken, "chain" | "address"> | undefined => {
  const chain = config.chains.find(({ id }) => id === chainId)
  if (chain === undefined) return undefined
  if (address === Chains.nativeToken[chain.kind]) return chain.native
  return chain.tokens.find((token) => Chains.sameAddress(chain.kind, token.address, address))
}

/** Where a transaction can be looked at, on hosts with a certificate only. */
export const explorerLink = (config: Config, chainId: number, hash: string): string | undefined => {
  const template = config.chains.find(({ id }) => id === chainId)?.explorer
  return template?.startsWith("https://") ? template.replaceAll("{hash}", encodeURIComponent(hash)) : undefined
}
