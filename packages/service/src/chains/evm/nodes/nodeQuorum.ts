/** Queries to the nodes of an EVM chain: hints use the first response, and reliable results require a quorum. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Address } from "viem"
import type * as Config from "../../../config/Config.js"
import { ChainUnavailable } from "../../ChainError.js"
import * as Failover from "../../failover.js"
import type { Access } from "../../nodeLimits.js"
import * as Quorum from "../../quorum.js"
import * as Feed from "./feed.js"
import * as NewHeads from "./newHeads.js"
import * as Reads from "./reads.js"
import type { Ask, Nodes } from "./rpcNodes.js"

/** One node, with its feed. */
export interface Node extends Reads.Reads {
  /** The host without the path and credentials, which may be secret. */
  readonly host: string
  readonly access: Access
  readonly ask: Ask
  readonly feed: Feed.Feed
}

/** A query to one node. */
type Question<A> = (node: Node) => Effect.Effect<A, ChainUnavailable>

/** Reads an account's nonce at a block, or at the latest block, at most once per block. */
export const nonceAt = (node: Node, account: Address, at: Reads.At) =>
  node.feed.perHead(`nonce of ${account} at ${at}`, node.nonceOf(account, at))

/** Subscribes to a node's new blocks within a scope, if the node has a websocket URL. */
const newHeadsOf = (
  { id, timeoutMillis, wsUrls = [] }: Config.EvmChain,
  index: number,
  scope: Scope.Scope | undefined
) => {
  const { [index]: url = "" } = wsUrls
  return url === "" || scope === undefined ? undefined : NewHeads.make({ chainId: id, url, timeoutMillis, scope })
}

export const make = ({ all, ask }: Nodes, config: Config.EvmChain, scope?: Scope.Scope) => {
  const { id } = config
  const nodes = all.map((node, index): Node => {
    const reads = Reads.make(node.ask, id)
    return { ...node, ...reads, feed: Feed.make(reads, config.pollMillis, newHeadsOf(config, index, scope)) }
  })
  /** With two nodes, one response is enough, because requiring both would let one hanging node delay every result. */
  const half = Math.ceil(nodes.length / 2)
  const use = Failover.make(id, nodes)

  /** Returns the first node whose feed has a block. */
  const inTurn = (block: (feed: Feed.Feed) => Effect.Effect<Reads.Block, ChainUnavailable>) =>
    use((node) => Effect.map(block(node.feed), (latest) => [node, latest] as const))
  const head = inTurn((feed) => feed.head)
  const read = inTurn((feed) => feed.recent)

  /** Queries all nodes and skips those that do not respond. Fails if no node responds. */
  const askAll = <A>(question: Question<A>) =>
    Effect.flatMap(Quorum.askEach(nodes, question), ({ answers, failures }) =>
      answers.length === 0 ? Quorum.noAnswer(id, failures) : Effect.succeed(answers)
    )

  /**
   * The first node that accepts calls and has read its latest block less than a poll interval ago, with that block.
   * Sends no requests.
   */
  const known = (now = Infinity) => {
    for (const node of nodes) {
      const block = node.access.isAside(now) ? undefined : node.feed.known()
      if (block !== undefined) return [node, block] as const
    }
    return undefined
  }

  return {
    /** All nodes. */
    nodes,
    /** Reads from the first node that responds. */
    first: Reads.make(ask, id),
    /** Sends a request to the nodes in turn until one responds. */
    ask,
    known,
    /** The first node that responds, with its latest block, which is at most a poll interval old. */
    recent: Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const latest = known(now)
      return latest === undefined ? read : Effect.succeed(latest)
    }),
    /** Like `recent`, but the interval follows the chain's block time. For watching transactions. */
    head,
    /** Waits for the next block on the first node that responds, but not longer than `atMost` milliseconds. */
    nextHead: (atMost: number) =>
      head.pipe(
        Effect.flatMap(([{ feed }]) => feed.nextHead),
        Effect.catch(() => Effect.sleep(config.pollMillis)),
        Effect.timeoutOption(atMost),
        Effect.asVoid
      ),
    askAll,
    /**
     * Like `askAll`, but skips nodes that take longer than `graceMillis` after half of the nodes have responded. With
     * three nodes, one fast node does not determine the result alone, and one slow node does not delay the result.
     */
    askWithin: Effect.fnUntraced(function* <A>(graceMillis: number, question: Question<A>) {
      const answered = yield* Deferred.make<void>()
      let answers = 0
      const count = Effect.suspend(() =>
        ++answers < half ? Effect.void : Effect.asVoid(Deferred.succeed(answered, undefined))
      )
      const late = Deferred.await(answered).pipe(
        Effect.andThen(Effect.sleep(graceMillis)),
        Effect.andThen(
          new ChainUnavailable({ chainId: id, message: "A node was slower than the others.", timeout: true })
        )
      )
      return yield* askAll((node) =>
        Effect.raceFirst(
          Effect.tap(question(node), () => count),
          late
        )
      )
    }),
    /** Queries all nodes and returns the first response. Fails once all queries have failed. */
    askAny: <A>(question: Question<A>) => Quorum.askFirst(id, nodes, question)
  }
}

export type NodeQuorum = ReturnType<typeof make>
