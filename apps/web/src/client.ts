/** The page's GeoSwap client. */
import { type Client, createClient, type PolicyOptions, type PromiseStore } from "@geoswap/core/promise"
import { fetchTransport } from "@geoswap/transport-fetch"
import { type Config, networkOf } from "./config.js"
import type { Connection } from "./connection.js"
import type { ConnectedWallets } from "./wallets/walletStore.js"

/** The client's dependencies. */
export interface PageClientOptions {
  readonly config: Config
  readonly connection: Connection
  readonly wallets: ConnectedWallets
  readonly store: PromiseStore
  readonly onHighCost: NonNullable<PolicyOptions["onHighCost"]>
}

/**
 * Creates a client for the connected wallets. The client signs only what it can verify against the pinned contracts.
 */
export const createPageClient = ({ config, connection, onHighCost, store, wallets }: PageClientOptions): Client =>
  createClient({
    network: networkOf(config),
    // This site's server adds the API key.
    transport: connection.observe(
      fetchTransport({ baseUrl: new URL(config.service, location.origin), apiKey: "page" })
    ),
    signers: { evm: wallets.evm?.signer, solana: wallets.solana?.signer },
    policy: { verification: "required", onHighCost },
    store
  })
