/** Queries to the nodes of an EVM chain: the first answer for hints, a quorum for facts. */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Config from "../../config/Config.js"
import { ChainUnavailable } from "../Chains.js"
import * as Quorum from "../quorum.js"
import * as Reads from "./reads.js"
import type { Nodes } from "./rpcNodes.js"

/** A query to one node. */
type Question<A> = (reads: Reads.Reads, host: string) => Effect.Effect<A, ChainUnavailable>

export interface NodeQuorum {
  /** Reads from the first node that answers. */
  readonly first: Reads.Reads
  /** The number of nodes. */
  readonly count: number
  /** How many nodes must agree on a terminal fact. */
  readonly quorum: number
  /** Asks all nodes. Never fails. */
  readonly askEach: <A>(question: Question<A>) => Effect.Effect<Quorum.Answers<A>>
  /** Asks all nodes and skips those that do not answer. Fails if none answers. */
  readonly askAll: <A>(question: Question<A>) => Effect.Effect<ReadonlyArray<Quorum.Answer<A>>, ChainUnavailable>
  /** Asks all nodes. Fails if fewer than the quorum answer. */
  readonly askQuorum: <A>(question: Question<A>) => Effect.Effect<ReadonlyArray<Quorum.Answer<A>>, ChainUnavailable>
  /**
   * Like `askAll`, but skips nodes that take longer than `graceMillis` after half of them answered: of three nodes, a fast
   * one does not decide alone, and a slow one delays nothing.
   */
  readonly askWithin: <A>(
    graceMillis: number,
    question: Question<A>
  ) => Effect.Effect<ReadonlyArray<Quorum.Answer<A>>, ChainUnavailable>
  /** Asks all nodes and returns the first answer. */
  readonly askAny: <A>(question: Question<A>) => Effect.Effect<A, ChainUnavailable>
  /** The error if fewer nodes answered than must agree. */
  readonly belowQuorum: (asked: Quorum.Answers<unknown>) => ChainUnavailable
}

/** Runs all queries and returns the first answer. Fails once all have failed. */
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

export const make = (nodes: Nodes, config: Config.EvmChain): NodeQuorum => {
  const { id } = config
  const all = nodes.all.map(({ ask, host }) => ({ host, reads: Reads.make(ask, id) }))
  /** One of two nodes is enough: two have no majority, and one that hangs would delay everything. */
  const half = Math.ceil(all.length / 2)

  const askEach: NodeQuorum["askEach"] = (question) => Quorum.askEach(all, ({ host, reads }) => question(reads, host))

  const askAll: NodeQuorum["askAll"] = (question) =>
    Effect.flatMap(askEach(question), ({ answers, failures }) =>
      answers.length === 0 ? Quorum.noAnswer(id, failures) : Effect.succeed(answers)
    )

  return {
    first: Reads.make(nodes.ask, id),
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
