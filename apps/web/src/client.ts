/** The page's GeoSwap client. */
import { createClient } from "@geoswap/core/promise"
import { fetchTransport } from "@geoswap/transport-fetch"
import { networkOf } from "./config.js"
import type { Services } from "./pageContext.js"
import type { ConnectedWallets } from "./wallets/walletStore.js"

/**
 * Creates a client for the connected wallets. The client signs only what it can verify against the pinned contracts.
 */
export const createPageClient = ({ config, connection, consent, store }: Services, wallets: ConnectedWallets) =>
  createClient({
    network: networkOf(config),
    // This site's server adds the API key.
    transport: connection.observe(
      fetchTransport({ baseUrl: new URL(config.service, location.origin), apiKey: "page" })
    ),
    signers: { evm: wallets.evm?.signer, solana: wallets.solana?.signer },
    policy: { verification: "required", onHighCost: consent.onHighCost },
    store
  })
