/** The client that the page swaps with. */
import { type Client, createClient, type Journal, type Ledger, type PolicyOptions } from "@geoswap/core/promise"
import { fetchTransport } from "@geoswap/transport-fetch"
import { type Config, deploymentsOf, familiesOf } from "./config.js"
import type { ConnectedWallets } from "./wallets/walletStore.js"

/** What a client of the page is made of. */
export interface PageClientOptions {
  readonly config: Config
  readonly wallets: ConnectedWallets
  readonly journal: Journal
  readonly ledger: Ledger
  readonly onHighImpact: NonNullable<PolicyOptions["onHighImpact"]>
}

/** A client for these wallets, which signs nothing that it could not check against the pinned contracts. */
export const createPageClient = ({ config, journal, ledger, onHighImpact, wallets }: PageClientOptions): Client =>
  createClient({
    // The server of this site has the key, and puts it in.
    transport: fetchTransport({ baseUrl: new URL(config.service, location.origin), apiKey: "page" }),
    signers: { evm: wallets.evm?.signer, solana: wallets.solana?.signer },
    policy: { verification: "required", deployments: deploymentsOf(config), onHighImpact },
    journal,
    ledger,
    chains: familiesOf(config)
  })
