import { Chain, type Network, type Operation } from "@geoswap/core"

/**
 * Returns the network with these contracts. A chain's family follows from its vault's address, so that no other setting
 * decides how addresses are compared.
 */
export const networkOf = (deployments: Readonly<Record<string, Operation.Deployment>>): Network.Network => ({
  chains: Object.entries(deployments).map(([id, deployment]) => ({
    id: Number(id),
    name: id,
    family: Chain.isAddress("solana", deployment.vault) ? "solana" : "evm",
    deployment
  }))
})
