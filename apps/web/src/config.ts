/**
 * The page's configuration from the server: the service path, chains, tokens and contracts, and a devnet's test
 * wallets.
 */
import { Chain as Chains } from "@geoswap/core"
import type { Network, PinnedToken } from "@geoswap/core/promise"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { text } from "./language/language.js"

/** The family of a chain or wallet. */
export type Family = Chains.Family

const Text = Schema.NonEmptyString

const Decimals = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))

const Token = Schema.Struct({ symbol: Text, address: Text, decimals: Decimals })

const Chain = Schema.Struct({
  id: Schema.Int,
  name: Text,
  family: Chains.Family,
  native: Schema.Struct({ symbol: Text, decimals: Decimals }),
  /** The tokens whose decimals are used to compute amounts. */
  tokens: Schema.Array(Token),
  /** EVM only: how deep the block of a small payment must be to be final. */
  finality: Schema.optionalKey(
    Schema.Union([
      Schema.Literals(["safe", "finalized"]),
      Schema.Struct({ seconds: Schema.Finite }),
      Schema.Struct({ blocks: Schema.Finite })
    ])
  ),
  /** The explorer URL for a transaction, with `{hash}` as a placeholder for its hash. */
  explorer: Schema.optionalKey(Text),
  deployment: Schema.Struct({
    delegates: Schema.optionalKey(Schema.Array(Text)),
    vault: Text,
    relayer: Schema.optionalKey(Text),
    older: Schema.optionalKey(Schema.Array(Schema.Struct({ delegate: Text, vault: Text })))
  })
})

const Burner = Schema.Struct({ name: Text, family: Chains.Family, address: Text, privateKey: Text })

/** A devnet test wallet whose key is public. */
export type Burner = typeof Burner.Type

const Config = Schema.Struct({
  /** The path under which this site's server proxies the service. */
  service: Text,
  highCostBps: Schema.optionalKey(Schema.Int),
  chains: Schema.Array(Chain),
  /** Whether the recipient can be a name. */
  names: Schema.optionalKey(Schema.Boolean),
  devnet: Schema.optionalKey(Schema.Struct({ wallets: Schema.Array(Burner) }))
})

/** The page's configuration. */
export type Config = typeof Config.Type

const decode = Schema.decodeUnknownOption(Config)

/** Fetches the configuration from the server. */
export const loadConfig = async (): Promise<Config> => {
  const response = await fetch("/web/config.json")
  if (!response.ok) throw new Error(text.broken.noConfig(response.status))
  const config = Option.getOrUndefined(decode(await response.json()))
  if (config === undefined) throw new Error(text.broken.invalidConfig)
  return config
}

/** Returns the chains, contracts and tokens to trust. They come from the page's configuration, never from the service. */
export const networkOf = ({ chains }: Config): Network => ({
  chains: chains.map(({ deployment, id, family, name, native, tokens }) => ({
    id,
    name,
    family,
    deployment,
    tokens,
    nativeSymbol: native.symbol
  }))
})

/** Returns a chain of the configuration. */
export const chainOf = ({ chains }: Pick<Config, "chains">, chainId: number): Config["chains"][number] | undefined =>
  chains.find(({ id }) => id === chainId)

/** Returns a chain's name, or its id if the chain is unknown. */
export const chainName = (config: Config, chainId: number) =>
  chainOf(config, chainId)?.name ?? text.progress.chain(chainId)

/** Returns a chain's family (default: `evm`). */
export const familyOf = (config: Config, chainId: number): Family => chainOf(config, chainId)?.family ?? "evm"

/** Returns the pinned token at an address, or `undefined` if no pinned token has that address. */
export const tokenOf = (
  config: Config,
  chainId: number,
  address: string
): Omit<PinnedToken, "chainId" | "address"> | undefined => {
  const chain = chainOf(config, chainId)
  if (chain === undefined) return undefined
  if (address === Chains.nativeToken[chain.family]) return chain.native
  return chain.tokens.find((token) => Chains.sameAddress(chain.family, token.address, address))
}

/** Returns the explorer URL for a transaction. Only `https` URLs are used. */
export const explorerLink = (config: Config, chainId: number, hash: string) => {
  const template = chainOf(config, chainId)?.explorer
  return template?.startsWith("https://") ? template.replaceAll("{hash}", encodeURIComponent(hash)) : undefined
}
