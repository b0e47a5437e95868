/** All of the service's metric series: their names, descriptions and labels. */
import type * as Context from "effect/Context"
import * as Metric from "effect/Metric"

type Labels<L extends string> = Readonly<Record<L, string>>

/** Creates the series of each combination of labels once, because series are looked up for every request. */
const once = <L extends string, M>(create: (attributes: Labels<L>) => M) => {
  const created = new Map<string, M>()
  return (attributes: Labels<L>): M => {
    const key = JSON.stringify(attributes)
    const series = created.get(key) ?? create(attributes)
    created.set(key, series)
    return series
  }
}

const counter = <L extends string = never>(name: string, description: string) =>
  once((attributes: Labels<L>) => Metric.counter(name, { description, attributes, incremental: true }))

const gauge = <L extends string = never>(name: string, description: string) =>
  once((attributes: Labels<L>) => Metric.gauge(name, { description, attributes }))

const histogram = <L extends string = never>(name: string, description: string, boundaries: ReadonlyArray<number>) =>
  once((attributes: Labels<L>) => Metric.histogram(name, { description, attributes, boundaries }))

/** Registers a gauge whose value is read on every scrape. Reading the value must be cheap. */
export const registerGauge = (
  metric: Metric.Gauge<number>,
  context: Context.Context<never>,
  read: (context: Context.Context<never>) => number
) => {
  const ignore = () => {}
  Metric.registerUnsafe(metric, context, {
    get: (reader) => ({ value: read(reader) }),
    update: ignore,
    modify: ignore
  })
}

export const httpRequests = counter<"route" | "method" | "code">(
  "geoswap_http_requests_total",
  "Completed requests, by route, method and status; 499 if the client closed the connection."
)
export const httpDuration = histogram<"route">(
  "geoswap_http_request_duration_seconds",
  "Time until a response was ready, for all routes except swap status.",
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
)
export const statusDuration = histogram(
  "geoswap_status_held_seconds",
  "Time until a response to a status request was ready; requests for finished swaps get a response at once.",
  [0.01, 0.1, 0.5, 1, 2.5, 5, 7.5, 10, 12.5, 15, 20]
)
export const heldRequests = gauge("geoswap_held_requests", "Status requests that are waiting for a swap to finish.")

/** The kind of limit that was exceeded: for an account, one visitor, all visitors, or failed authentications. */
export const limitKinds = ["account", "visitor", "visitors", "failed-auth"] as const
export type LimitKind = (typeof limitKinds)[number]
export const rateLimited = counter<"limit">(
  "geoswap_rate_limited_total",
  "Calls refused with 429 because a rate limit was exceeded, by kind of limit."
)
export const limitReplicas = gauge(
  "geoswap_limit_replicas",
  "Replicas that share the rate limits, including this one; PostgreSQL only."
)
export const limitExchangeAge = gauge(
  "geoswap_limit_exchange_age_seconds",
  "Time since this process last exchanged its rate limit counts with the other replicas; PostgreSQL only."
)

export const swaps = gauge<"state">("geoswap_swaps", "Pending swaps in the database, by state.")
export const swapOldestAge = gauge<"state">(
  "geoswap_swap_oldest_age_seconds",
  "Time since the oldest swap in each state was accepted; 0 if no swap is in that state."
)
export const swapsEnded = counter<"state" | "origin" | "destination">(
  "geoswap_swaps_ended_total",
  "Swaps that this process finished, by state and chain ids."
)
export const swapDuration = histogram<"state">(
  "geoswap_swap_duration_seconds",
  "Time from a swap's acceptance to its end.",
  [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600]
)
export const payments = counter<"chain" | "method">(
  "geoswap_payments_total",
  "Swaps that this process accepted and whose wallets pay without a delegation, by payment method."
)
export const lostGas = counter<"chain" | "method">(
  "geoswap_lost_gas_total",
  "Gas of final transactions that did not collect an input, by payment method, as this process saw them."
)
export const strikes = counter<"chain" | "method">(
  "geoswap_payment_strikes_total",
  "Collections that failed because of a wallet or its code, by payment method, as this process saw them."
)
export const transactionItems = histogram<"chain" | "kind">(
  "geoswap_transaction_items",
  "Swaps that share a transaction, for each transaction that this process signed; EVM chains only.",
  [1, 2, 5, 10, 20, 50]
)
export const spentWei = counter<"chain" | "kind">(
  "geoswap_spent_wei_total",
  "Wei that final transactions of swaps cost, as this process recorded them; EVM chains only."
)
export const executorWorking = gauge("geoswap_executor_working", "Swaps that this process is working on.")

export const relayerBalance = gauge<"chain" | "relayer">(
  "geoswap_relayer_balance",
  "The relayer's balance for gas, in whole native tokens."
)
export const relayerPendingCost = gauge<"chain" | "relayer">(
  "geoswap_relayer_pending_cost",
  "The most that the relayer's transactions that are not final may cost, in whole native tokens."
)
export const relayerAvailable = gauge<"chain" | "relayer">(
  "geoswap_relayer_available",
  "The relayer's balance less the most that its transactions that are not final may cost, in whole native tokens."
)
export const relayerNonce = gauge<"chain" | "relayer">(
  "geoswap_relayer_nonce",
  "The relayer's next nonce at the latest finalized block; EVM chains only."
)
export const relayerNonceLag = gauge<"chain" | "relayer">(
  "geoswap_relayer_nonce_lag",
  "The relayer's transactions that are signed but not final; EVM chains only."
)
export const inventory = gauge<"chain" | "token">("geoswap_inventory", "The vault's balance, in tokens.")
export const inventoryAvailable = gauge<"chain" | "token">(
  "geoswap_inventory_available",
  "The amount that the vault can currently send within its cap, in tokens."
)
export const inventoryReserved = gauge<"chain" | "token">(
  "geoswap_inventory_reserved",
  "The amount reserved for pending swaps, in tokens."
)

export const rpcRequests = counter<"chain" | "host" | "method">(
  "geoswap_rpc_requests_total",
  "Requests to nodes, by method."
)
export const chainNodes = gauge<"chain">("geoswap_chain_nodes", "Nodes configured for a chain.")
export const chainNodesAgreeing = gauge<"chain">(
  "geoswap_chain_nodes_agreeing",
  "A chain's nodes that respond and agree."
)
export const chainQuorum = gauge<"chain">(
  "geoswap_chain_quorum",
  "The number of a chain's nodes that must agree before a final result is accepted."
)
/** Why a request to a node failed. */
export const rpcFaults = ["timeout", "refused", "status", "unreadable", "unreachable", "redirect", "limited"] as const
export type RpcFault = (typeof rpcFaults)[number]
export const rpcErrors = counter<"chain" | "host" | "reason">(
  "geoswap_rpc_errors_total",
  "Failed requests to nodes: timeout, refused by the node, unexpected HTTP status, unreadable response, node unreachable, redirect, or limited because of too many requests."
)

/** Why a request waited: the node refuses requests for a while, or a limit for the node was reached. */
export type RpcWait = "aside" | "budget" | "concurrency"
export const rpcWaits = counter<"chain" | "host" | "reason">(
  "geoswap_rpc_waits_total",
  "Requests to nodes that waited because the node refused requests (aside), or because of requestsPerSecond (budget) or maxConcurrent (concurrency)."
)
export const rpcWaitSeconds = counter<"chain" | "host" | "reason">(
  "geoswap_rpc_wait_seconds_total",
  "How long requests to nodes waited, by reason."
)

export const venueUp = gauge(
  "geoswap_venue_up",
  "1 while prices are being requested, 0 while the circuit breaker is open."
)
export const venueRequests = counter("geoswap_venue_requests_total", "Prices requested from an HTTP venue.")
export const venueErrors = counter(
  "geoswap_venue_errors_total",
  "Price requests that failed because the response was late or invalid."
)

/** Whether the price of an indicative quote was computed for the call (miss) or shared with another call (hit). */
export const cacheResults = ["hit", "miss"] as const
export const indicativeQuotes = counter<"cache">(
  "geoswap_indicative_quotes_total",
  "Indicative quotes: priced for the call (miss), or returned from the cache or from a computation in progress (hit)."
)

export const databaseUp = gauge(
  "geoswap_database_up",
  "1 if the database responded when it was last sampled, otherwise 0."
)
export const sampleAge = gauge<"what">(
  "geoswap_sample_age_seconds",
  "Time since the gauges for the database (store), a chain (chain:id) or its relayer (nonce:id) were last sampled."
)
