/** Queries to the nodes of an EVM chain: hints use the first response, and reliable results require a quorum. */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Address } from "viem"
import type * as Config from "../../../config/Config.js"
import { ChainUnavailable } from "../../ChainError.js"
import * as Quorum from "../../quorum.js"
import * as Feed from "./feed.js"
import * as NewHeads from "./newHeads.js"
import * as Reads from "./reads.js"
import type { Nodes } from "./rpcNodes.js"

/** One node, with its feed. */
export interface Node extends Reads.Reads {
  readonly feed: Feed.Feed
}

/** A query to one node. */
type Question<A> = (node: Node, host: string) => Effect.Effect<A, ChainUnavailable>

export interface NodeQuorum {
  /** Reads from the first node that responds. */
  readonly first: Reads.Reads
  /** The first node that has read its latest block less than a poll interval ago, with that block. Sends no requests. */
  readonly known: () => readonly [Node, Reads.Block] | undefined
  /** The first node that responds, with its latest block, which is at most a poll interval old. */
  readonly recent: Effect.Effect<readonly [Node, Reads.Block], ChainUnavailable>
  /** Like `recent`, but the interval follows the chain's block time. For watching transactions. */
  readonly head: Effect.Effect<readonly [Node, Reads.Block], ChainUnavailable>
  /** Waits for the next block on the first node that responds, but not longer than `atMost` milliseconds. */
  readonly nextHead: (atMost: number) => Effect.Effect<void>
  /** All nodes. */
  readonly nodes: ReadonlyArray<Node>
  /** The number of nodes. */
  readonly count: number
  /** How many nodes must agree on a terminal outcome. */
  readonly quorum: number
  /** Queries all nodes. Never fails. */
  readonly askEach: <A>(question: Question<A>) => Effect.Effect<Quorum.Answers<A>>
  /** Queries all nodes and skips those that do not respond. Fails if no node responds. */
  readonly askAll: <A>(question: Question<A>) => Effect.Effect<ReadonlyArray<Quorum.Answer<A>>, ChainUnavailable>
  /** Queries all nodes. Fails if fewer nodes respond than the quorum requires. */
  readonly askQuorum: <A>(question: Question<A>) => Effect.Effect<ReadonlyArray<Quorum.Answer<A>>, ChainUnavailable>
  /**
   * Like `askAll`, but skips nodes that take longer than `graceMillis` after half of the nodes have responded. With
   * three nodes, one fast node does not determine the result alone, and one slow node does not delay the result.
   */
  readonly askWithin: <A>(
    graceMillis: number,
    question: Question<A>
  ) => Effect.Effect<ReadonlyArray<Quorum.Answer<A>>, ChainUnavailable>
  /** Queries all nodes and returns the first response. */
  readonly askAny: <A>(question: Question<A>) => Effect.Effect<A, ChainUnavailable>
  /** Creates the error for a query to which fewer nodes responded than the quorum requires. */
  readonly belowQuorum: (asked: Quorum.Answers<unknown>) => ChainUnavailable
}

/** Reads an account's nonce at a block, or at the latest block, at most once per block. */
export const nonceAt = (node: Node, account: Address, at: Reads.At): Effect.Effect<number, ChainUnavailable> =>
  node.feed.perHead(`nonce of ${account} at ${at}`, node.nonceOf(account, at))

/** Runs all queries and returns the first response. Fails once all queries have failed. */
export const race = <A>(
  chainId: number,
  questions: ReadonlyArray<Effect.Effect<A, ChainUnavailable>>
): Effect.Effect<A, ChainUnavailable> =>
  Effect.raceAll(questions).pipe(
    Effect.catchCause((cause) => {
      const failures = cause.reasons.filter(Cause.isFailReason).map(({ error }) => error)
      return failures.length === 0 ? Effect.failCause(cause) : Effect.fail(Quorum.noAnswer(chainId, failures))
    })
  )

/** Subscribes to a node's new blocks within a scope, if the node has a websocket URL. */
const newHeadsOf = (
  { id, timeoutMillis, wsUrls = [] }: Config.EvmChain,
  index: number,
  scope: Scope.Scope | undefined
) => {
  const { [index]: url = "" } = wsUrls
  return url === "" || scope === undefined ? undefined : NewHeads.make({ chainId: id, url, timeoutMillis, scope })
}

export const make = (nodes: Nodes, config: Config.EvmChain, scope?: Scope.Scope): NodeQuorum => {
  const { id } = config
  const all = nodes.all.map(({ ask, host }, index) => {
    const reads = Reads.make(ask, id)
    const feed = Feed.make(reads, config.pollMillis, newHeadsOf(config, index, scope))
    return { host, reads: { ...reads, feed } satisfies Node }
  })
  /** With two nodes, one response is enough, because requiring both would let one hanging node delay every result. */
  const half = Math.ceil(all.length / 2)

  const askEach: NodeQuorum["askEach"] = (question) => Quorum.askEach(all, ({ host, reads }) => question(reads, host))

  const askAll: NodeQuorum["askAll"] = (question) =>
    Effect.flatMap(askEach(question), ({ answers, failures }) =>
      answers.length === 0 ? Quorum.noAnswer(id, failures) : Effect.succeed(answers)
    )

  /** Returns the first node whose feed has a block. */
  const inTurn = (block: (feed: Feed.Feed) => Effect.Effect<Reads.Block, ChainUnavailable>) =>
    Effect.mapError(
      nodes.inTurn((index) => {
        const node = all[index]?.reads
        return node === undefined
          ? Effect.never
          : Effect.map(block(node.feed), (latest): readonly [Node, Reads.Block] => [node, latest])
      }),
      (failures) => Quorum.noAnswer(id, failures)
    )
  const head = inTurn((feed) => feed.head)

  const known: NodeQuorum["known"] = () => {
    for (const { reads } of all) {
      const block = reads.feed.known()
      if (block !== undefined) return [reads, block]
    }
    return undefined
  }
  const read = inTurn((feed) => feed.recent)

  return {
    first: Reads.make(nodes.ask, id),
    known,
    recent: Effect.suspend(() => {
      const latest = known()
      return latest === undefined ? read : Effect.succeed(latest)
    }),
    head,
    nextHead: (atMost) =>
      head.pipe(
        Effect.flatMap(([{ feed }]) => feed.nextHead),
        Effect.catch(() => Effect.sleep(config.pollMillis)),
        Effect.timeoutOption(atMost),
        Effect.asVoid
      ),
    nodes: all.map(({ reads }) => reads),
    count: all.length,
    quorum: Quorum.quorumOf(config),
    askEach,
    askAll,
    askQuorum: (question) => Quorum.askQuorum(config, all, ({ host, reads }) => question(reads, host)),
    askWithin: Effect.fnUntraced(function* (graceMillis, question) {
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
      return yield* askAll((reads, host) =>
        Effect.raceFirst(
          Effect.tap(question(reads, host), () => count),
          late
        )
      )
    }),
    askAny: (question) =>
      race(
        id,
        all.map(({ host, reads }) => question(reads, host))
      ),
    belowQuorum: (asked) => Quorum.belowQuorum(config, asked)
  }
}
