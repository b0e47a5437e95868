/** The GeoSwap client, and the contracts and tokens that the page trusts. */
import {
  type Client,
  createClient,
  type Network,
  type PromiseSolanaSigner,
  storageStore,
  tokenResolver
} from "@geoswap/core/promise"
import { solanaReader } from "@geoswap/signer-solana/promise"
import { fetchTransport } from "@geoswap/transport-fetch/promise"

/** From `vite.config.ts`. */
declare const DEVNET: { readonly network: Network; readonly rpcUrls: Readonly<Record<number, string>> }

const { network, rpcUrls } = DEVNET

/** The tokens on the chains of a family, by a text such as `USDC@base`. */
const tokensOn = (wanted: "evm" | "solana") =>
  network.chains
    .filter(({ family }) => family === wanted)
    .flatMap(({ name, tokens: listed = [] }) =>
      listed.map(({ symbol }) => ({ id: `${symbol}@${name}`, text: `${symbol} on ${name}` }))
    )

/** The tokens to pay with, and the tokens to receive. */
export const choices = { input: tokensOn("solana"), output: tokensOn("evm") }

/** Your own node, for balances and for proofs that a transaction expired. */
const readers = {
  solana: solanaReader({
    rpcUrls: Object.fromEntries(
      network.chains.filter(({ family }) => family === "solana").map(({ id }) => [id, rpcUrls[id] ?? ""])
    )
  })
}

export const tokens = tokenResolver({ network, readers })

/** The store is in `localStorage`, so that a swap can be resumed after a reload. */
const store = storageStore(localStorage, { locks: navigator.locks })

/** Creates a client. Without a signer, the client can only resume swaps. */
export const clientFor = (signer?: PromiseSolanaSigner): Client =>
  createClient({
    network,
    // No API key: the server of this page adds it.
    transport: fetchTransport({ baseUrl: location.origin }),
    signers: { solana: signer },
    // Refuses quotes that lose more than 3% of the value.
    policy: { maxTotalCostBps: 300 },
    readers,
    store
  })
