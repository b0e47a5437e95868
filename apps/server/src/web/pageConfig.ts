/** `/web/config.json`: the settings that the page loads first. */
import { Chain, type Operation } from "@geoswap/core"
import type { Chains, Config } from "@geoswap/service"

/** A devnet wallet whose key is public. */
export interface BurnerWallet {
  readonly name: string
  readonly family: "evm" | "solana"
  readonly address: string
  readonly privateKey: string
}

/** The older accounts that wallets may still be delegated to, and the vaults that they pay into. */
const olderOf = ({ accounts: [, ...older] }: Chains.EvmChain): Pick<Operation.Deployment, "older"> =>
  older.length === 0 ? {} : { older: older.map(({ delegate, vault }) => ({ delegate, vault })) }

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
  { ens, explorers }: Config.Web,
  chains: ReadonlyMap<number, Chains.Chain>,
  wallets: ReadonlyArray<BurnerWallet> | undefined
) => ({
  service: "/web/api",
  highCostBps: Math.abs(config.quotes.highPriceImpactBps),
  chains: config.chains.flatMap((settings) => {
    const { id, kind: family, name, native, tokens } = settings
    const chain = chains.get(id)
    const explorer = explorers[String(id)]
    if (chain === undefined) return []
    return [
      {
        id,
        name,
        family,
        native: { symbol: native.symbol, decimals: Chain.nativeDecimals[family] },
        // The page computes amounts with these values, never with values from the API.
        tokens: tokens.map(({ address, decimals, symbol }) => ({ symbol, address, decimals })),
        // The page estimates how long a swap takes.
        ...(settings.kind === "evm" && { finality: settings.finality[0].after }),
        ...(explorer !== undefined && { explorer }),
        deployment: deploymentOf(chain)
      }
    ]
  }),
  // Whether the recipient can be a name.
  ...(ens !== undefined && { names: true }),
  ...(wallets !== undefined && {
    devnet: {
      wallets: wallets.map(({ address, family, name, privateKey }) => ({ name, family, address, privateKey }))
    }
  })
})
