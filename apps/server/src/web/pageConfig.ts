/** `/web/config.json`: the settings that the page loads first. */
import { Chain, type Operation } from "@geoswap/core"
import type { Chains, Config, Wallet } from "@geoswap/service"

/** A devnet wallet whose key is public. */
export interface BurnerWallet {
  readonly name: string
  readonly family: "evm" | "solana"
  readonly address: string
  readonly privateKey: string
}

/** The version of an account contract, if it is not the first. */
const versionOf = ({ version }: Wallet.Account) => version === 2 && { accountVersion: version }

/** The older accounts that wallets may still be delegated to, and the vaults that they pay into. */
const olderOf = ({ accounts: [, ...others] }: Chains.EvmChain): Pick<Operation.Deployment, "older"> =>
  others.length === 0
    ? {}
    : { older: others.map((account) => ({ delegate: account.delegate, vault: account.vault, ...versionOf(account) })) }

/** The account that new wallets delegate to. */
const newAccount = ({ accounts, delegate, vault }: Chains.EvmChain) => {
  const [first = { delegate, vault, version: 1 as const }] = accounts
  return { delegates: [first.delegate], vault: first.vault, ...versionOf(first) }
}

/** The contracts that the page pins. The page signs nothing that involves other contracts. */
const deploymentOf = (chain: Chains.Chain): Operation.Deployment =>
  chain.family === "evm"
    ? { ...newAccount(chain), ...olderOf(chain) }
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
        ...(settings.kind === "evm" && { confirmations: settings.confirmations }),
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
