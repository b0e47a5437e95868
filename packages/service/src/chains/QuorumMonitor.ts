/** Monitors whether enough of each chain's nodes agree, for health checks and metrics. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { untilNext } from "../metrics/sampling.js"
import * as Series from "../metrics/series.js"
import type { Chain } from "./Chains.js"
import type { Agreement } from "./Outcome.js"
import { type Chain as Configured, quorumOf } from "./quorum.js"

export interface QuorumMonitor {
  /** One sentence for each chain that was below its quorum at the last check, without hosts, URLs or keys. */
  readonly degraded: Effect.Effect<ReadonlyArray<string>>
  /**
   * The reason why the service is not ready. The only possible reason is that all chains have been below their quorum
   * for 30 seconds. Empty if the service is ready.
   */
  readonly problems: Effect.Effect<ReadonlyArray<string>>
}

export const QuorumMonitor: Context.Service<QuorumMonitor, QuorumMonitor> =
  /* @__PURE__ */ Context.Service<QuorumMonitor>("@geoswap/service/QuorumMonitor")

/** The delay between the checks of a chain below its quorum. */
const degradedMillis = 10_000
/**
 * The delay between checks, per node of the chain. A check costs two requests per node, so the number of requests does
 * not depend on the number of nodes.
 */
const nodeMillis = 30_000
/** The shortest delay between checks of a chain that has its quorum. */
const shortestMillis = 60_000
/**
 * How long all chains can be below their quorum before the service reports that it is not ready. The delay lets the
 * service stay ready if all nodes restart at once.
 */
const graceMillis = 30_000

/** The result of a chain's last check. */
interface Status {
  readonly agreement: Agreement
  /** When the chain fell below its quorum, in Unix milliseconds. */
  readonly belowSince: number | undefined
}

/** Describes a chain below its quorum. Returns `undefined` if the chain has its quorum. */
export const describe = ({ id, name }: Chain, { agreeing, nodes, quorum }: Agreement): string | undefined =>
  agreeing >= quorum
    ? undefined
    : `Chain ${id} (${name}) is below its quorum: ${agreeing} of ${nodes} nodes agree, but ${quorum} must.`

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)

/**
 * Lists the weaknesses of a chain's node configuration, one sentence each: a quorum that is only a minority of the
 * nodes, or that a single host can reach on its own. Nodes on this machine are exempt because they belong to the
 * operator. The sentences contain no URLs, because URLs may include keys.
 */
export const weaknesses = (chain: Configured): ReadonlyArray<string> => {
  const { id, name, rpcUrls } = chain
  const [where, nodes, quorum] = [`Chain ${id} (${name})`, rpcUrls.length, quorumOf(chain)]
  const hosts = rpcUrls.map((url) => new URL(url).hostname)
  const [first = ""] = hosts
  if (nodes === 1) {
    return isLoopback(first)
      ? []
      : [
          `${where}: the service relies on a single node, ${first}. List three nodes from different operators in rpcUrls.`
        ]
  }
  const isEnough = (host: string) => hosts.filter((other) => other === host).length >= quorum
  const deciding = [...new Set(hosts)].find((host) => !isLoopback(host) && isEnough(host))
  return [
    ...(quorum * 2 > nodes
      ? []
      : [`${where}: a quorum of ${quorum} is not a majority of its ${nodes} nodes. Raise the quorum.`]),
    ...(deciding === undefined || quorum === 1
      ? []
      : [`${where}: the nodes at ${deciding} alone reach the quorum of ${quorum}. Use nodes from different operators.`])
  ]
}

/**
 * Checks every chain immediately and then every 30 seconds per node, but at most once a minute, until the scope closes.
 * A chain below its quorum is checked every 10 seconds. A chain is assumed to have its quorum until its first check.
 */
export const make: (chains: ReadonlyMap<number, Chain>) => Effect.Effect<QuorumMonitor, never, Scope.Scope> =
  Effect.fnUntraced(function* (chains) {
    const context = yield* Effect.context()
    const statuses = new Map<number, Status>()

    const check = Effect.fnUntraced(function* (chain: Chain) {
      const agreement = yield* chain.agreement
      const labels = { chain: String(chain.id) }
      Series.chainNodes(labels).updateUnsafe(agreement.nodes, context)
      Series.chainNodesAgreeing(labels).updateUnsafe(agreement.agreeing, context)
      Series.chainQuorum(labels).updateUnsafe(agreement.quorum, context)
      const before = statuses.get(chain.id)?.belowSince
      const problem = describe(chain, agreement)
      const belowSince = problem !== undefined ? (before ?? (yield* Clock.currentTimeMillis)) : undefined
      statuses.set(chain.id, { agreement, belowSince })
      if (problem !== undefined && before === undefined) yield* Effect.logWarning(problem)
      if (problem === undefined && before !== undefined) {
        yield* Effect.logInfo(`Chain ${chain.id} (${chain.name}) has reached its quorum again.`)
      }
      return problem === undefined ? Math.max(nodeMillis * agreement.nodes, shortestMillis) : degradedMillis
    })

    yield* Effect.forEach(
      chains.values(),
      (chain) => {
        const checks = check(chain).pipe(Effect.flatMap(untilNext), Effect.flatMap(Effect.sleep), Effect.forever)
        return Effect.forkScoped(Effect.withTracerEnabled(checks, false))
      },
      { discard: true }
    )

    return {
      degraded: Effect.sync(() =>
        [...chains.values()].flatMap((chain) => {
          const status = statuses.get(chain.id)
          return (status && describe(chain, status.agreement)) ?? []
        })
      ),
      problems: Effect.map(Clock.currentTimeMillis, (now) => {
        const isDown = (id: number) => {
          const since = statuses.get(id)?.belowSince
          return since !== undefined && now - since >= graceMillis
        }
        return chains.size > 0 && [...chains.keys()].every(isDown)
          ? [`For the last ${graceMillis / 1_000} seconds, no chain has had a quorum of nodes.`]
          : []
      })
    }
  })

/** A layer that provides the monitor, which runs until the layer is released. */
export const layer = (chains: ReadonlyMap<number, Chain>): Layer.Layer<QuorumMonitor> =>
  Layer.effect(QuorumMonitor, make(chains))
