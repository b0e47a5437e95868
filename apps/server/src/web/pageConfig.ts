/** `/web/config.json`: the settings that the page loads first. */
import { Chain, type Operation } from "@geoswap/core"
import type { Chains, Config } from "@geoswap/service"

/** A devnet wallet whose key is public. */
export interface BurnerWallet {
  readonly name: string
  readonly kind: "evm" | "solana"
  readonly address: string
  readonly privateKey: string
}

/** The vaults that wallets with older delegations still pay into. */
const olderOf = ({ delegates, vaults }: Chains.EvmChain): Pick<Operation.Deployment, "older"> => {
  const older = vaults.flatMap((vault, index) => {
    const delegate = delegates[index]
    return index === 0 || delegate === undefined ? [] : [{ delegate, vault }]
  })
  return older.length === 0 ? {} : { older }
}

/** The contracts that the page pins. The page signs nothing that involves other contracts. */
const deploymentOf = (chain: Chains.Chain): Operation.Deployment =>
  chain.family === "evm"
    ? { delegates: [chain.delegate], vault: chain.vault, ...olderOf(chain) }
    : { delegates: [], vault: chain.vault, relayer: chain.relayer }

/**
 * Returns the settings for the page. The configuration is copied field by field, because it also contains node URLs
 * with keys.
 */
export const pageConfig = (
  config: Pick<Config.Config, "chains" | "quotes">,
  { explorers }: Config.Web,
  chains: ReadonlyMap<number, Chains.Chain>,
  wallets: ReadonlyArray<BurnerWallet> | undefined
) => ({
  service: "/web/api",
  highImpactBps: Math.abs(config.quotes.highPriceImpactBps),
  chains: config.chains.flatMap(({ id, kind, name, native, tokens }) => {
    const chain = chains.get(id)
    const explorer = explorers[String(id)]
    if (chain === undefined) return []
    return [
      {
        id,
        name,
        kind,
        native: { symbol: native.symbol, decimals: Chain.nativeDecimals[kind] },
        // The page computes amounts with these values, never with values from the API.
        tokens: tokens.map(({ address, decimals, symbol }) => ({ symbol, address, decimals })),
        ...(explorer !== undefined && { explorer }),
        deployment: deploymentOf(chain)
      }
    ]
  }),
  ...(wallets !== undefined && {
    devnet: {
      wallets: wallets.map(({ address, kind, name, privateKey }) => ({ name, kind, address, privateKey }))
    }
  })
})
