/** Every series that the service counts by itself: its name, what it says, and which labels it may have. */
import type * as Context from "effect/Context"
import * as Metric from "effect/Metric"

type Labels<L extends string> = Readonly<Record<L, string>>

const counter =
  <L extends string = never>(name: string, description: string) =>
  (attributes: Labels<L>): Metric.Counter<number> =>
    Metric.counter(name, { description, attributes, incremental: true })

const gauge =
  <L extends string = never>(name: string, description: string) =>
  (attributes: Labels<L>): Metric.Gauge<number> =>
    Metric.gauge(name, { description, attributes })

const histogram =
  <L extends string = never>(name: string, description: string, boundaries: ReadonlyArray<number>) =>
  (attributes: Labels<L>): Metric.Histogram<number> =>
    Metric.histogram(name, { description, attributes, boundaries })

/** A gauge whose value is read when somebody looks; reading must cost next to nothing. */
export const registerGauge = (
  metric: Metric.Gauge<number>,
  context: Context.Context<never>,
  read: (context: Context.Context<never>) => number
): void => {
  const ignore = () => {}
  Metric.registerUnsafe(metric, context, {
    get: (reader) => ({ value: read(reader) }),
    update: ignore,
    modify: ignore
  })
}

export const httpRequests = counter<"route" | "method" | "code">(
  "geoswap_http_requests_total",
  "Requests answered, by route, method and status; 499 where the client did not wait."
)
export const httpDuration = histogram<"route">(
  "geoswap_http_request_duration_seconds",
  "Time until an answer was ready, for all routes but the status of a swap.",
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
)
export const statusDuration = histogram(
  "geoswap_status_held_seconds",
  "Time for which status requests were held; those of ended swaps are answered at once.",
  [0.01, 0.1, 0.5, 1, 2.5, 5, 7.5, 10, 12.5, 15, 20]
)
export const heldRequests = gauge("geoswap_held_requests", "Status requests that wait for the end of a swap.")

/** Whose limit refused a call: an account's, a visitor's, that of all visitors, or that of failed authentications. */
export const limitKinds = ["account", "visitor", "visitors", "failed-auth"] as const
export type LimitKind = (typeof limitKinds)[number]
export const rateLimited = counter<"limit">(
  "geoswap_rate_limited_total",
  "Calls refused with 429 because a rate was exceeded, by the kind of the limit."
)
export const limitReplicas = gauge(
  "geoswap_limit_replicas",
  "Replicas that share the rate limits, with this one; PostgreSQL."
)
export const limitExchangeAge = gauge(
  "geoswap_limit_exchange_age_seconds",
  "Time since this process exchanged its share of the rate limits with the other replicas; PostgreSQL."
)

export const swaps = gauge<"state">("geoswap_swaps", "Swaps under way in the database, by state.")
export const swapOldestAge = gauge<"state">(
  "geoswap_swap_oldest_age_seconds",
  "Time since the oldest swap of a state was accepted; 0 where there is none."
)
export const swapsEnded = counter<"state" | "origin" | "destination">(
  "geoswap_swaps_ended_total",
  "Swaps that this process brought to their end, by how they ended and by the ids of their chains."
)
export const swapDuration = histogram<"state">(
  "geoswap_swap_duration_seconds",
  "Time from a swap's acceptance to its end.",
  [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600]
)
export const executorWorking = gauge("geoswap_executor_working", "Swaps that this process works on.")

export const relayerBalance = gauge<"chain" | "relayer">(
  "geoswap_relayer_balance",
  "What a relayer has for gas, in whole native tokens."
)
export const relayerNonce = gauge<"chain">(
  "geoswap_relayer_nonce",
  "The relayer's next nonce at the newest final block; EVM chains."
)
export const relayerNonceLag = gauge<"chain">(
  "geoswap_relayer_nonce_lag",
  "Transactions of the relayer that were signed and are not final; EVM chains."
)
export const inventory = gauge<"chain" | "token">("geoswap_inventory", "What the vault has, in whole tokens.")
export const inventoryAvailable = gauge<"chain" | "token">(
  "geoswap_inventory_available",
  "What the vault can send at the moment, its cap considered, in whole tokens."
)
export const inventoryReserved = gauge<"chain" | "token">(
  "geoswap_inventory_reserved",
  "What is promised to swaps under way, in whole tokens."
)

export const rpcRequests = counter<"chain" | "host" | "method">(
  "geoswap_rpc_requests_total",
  "Requests to nodes, by method."
)
export const chainNodes = gauge<"chain">("geoswap_chain_nodes", "Nodes that are configured for a chain.")
export const chainNodesAgreeing = gauge<"chain">(
  "geoswap_chain_nodes_agreeing",
  "Nodes of a chain that answer and agree with each other."
)
export const chainQuorum = gauge<"chain">(
  "geoswap_chain_quorum",
  "Nodes of a chain that must agree before a terminal fact is believed."
)
/** Why a node's answer was none. */
export type RpcFault = "timeout" | "refused" | "status" | "unreadable"
export const rpcErrors = counter<"chain" | "host" | "reason">(
  "geoswap_rpc_errors_total",
  "Requests to nodes that failed: too slow, refused by the node, another HTTP status, or no readable answer."
)

export const venueUp = gauge("geoswap_venue_up", "1 where prices can be asked for, 0 where the venue is left alone.")
export const venueRequests = counter("geoswap_venue_requests_total", "Prices that a venue elsewhere was asked for.")
export const venueErrors = counter(
  "geoswap_venue_errors_total",
  "Prices that it did not give in time, or not sensibly."
)

export const databaseUp = gauge("geoswap_database_up", "1 where the database answered when it was last looked at.")
export const sampleAge = gauge<"what">(
  "geoswap_sample_age_seconds",
  "Time since the gauges of the database (store), of a chain (chain:id) or of its relayer (nonce:id) were last read."
)
